/** Errors for answers by a proxy itself rather than by the server. */
import type { IncomingHttpHeaders } from 'node:http'
import { type CoeError, denied, failed } from '../core/errors.ts'
import { refusedByProxy } from '../core/failed-request.ts'

export interface ProxyAnswer {
  proxy: URL
  /** The intended server: `keystone.example.com:5000`. */
  server: string
  status: number
  headers: IncomingHttpHeaders
}

const addresses = 'HTTP_PROXY, HTTPS_PROXY, or proxy-url in the kubeconfig'

export function proxyRefusal(answer: ProxyAnswer): CoeError {
  const { proxy, server, status } = answer
  const name = `the proxy ${proxy.protocol}//${proxy.host}`
  const details = { status, code: refusedByProxy, service: 'proxy' }
  if (status === 407) return wantsLogin(answer, name, details)
  if (status >= 500) {
    return failed(`${name} could not reach ${server} (HTTP ${status}${reason(answer)})`, {
      hint: 'is the service running, and may the proxy reach it? NO_PROXY names hosts to reach without the proxy',
      details,
    })
  }
  return failed(`${name} refused to connect to ${server} (HTTP ${status}${reason(answer)})`, {
    hint: 'many proxies allow https:// to port 443 alone: ask its administrator to allow this port, or name the host in NO_PROXY',
    details,
  })
}

/** Squid names the error page that it sends. */
const reason = ({ headers }: ProxyAnswer): string => {
  const code = /^\w+/.exec(String(headers['x-squid-error'] ?? ''))?.[0]
  return code ? `, ${code}` : ''
}

function wantsLogin({ proxy, headers }: ProxyAnswer, name: string, details: object): CoeError {
  const schemes = [...String(headers['proxy-authenticate'] ?? '').matchAll(/(?:^|,)\s*([A-Za-z]+)(?=\s|,|$)/g)].map(
    m => m[1],
  )
  if (schemes.length > 0 && !schemes.some(scheme => scheme?.toLowerCase() === 'basic')) {
    return denied(
      `${name} requires a login by ${schemes.join(' or ')} (HTTP 407), but coe can only send a user name and a password`,
      {
        hint: 'use a local proxy in between that logs in to it (cntlm, px)',
        details: { ...details },
      },
    )
  }
  const hasLogin = proxy.username || proxy.password
  return denied(
    hasLogin
      ? `${name} refused the user name and password in its address (HTTP 407)`
      : `${name} requires a user name and a password (HTTP 407)`,
    {
      hint: `put them before the host of its address (${addresses}), as USER:PASSWORD@${proxy.host}; special characters are percent-encoded, @ as %40`,
      details: { ...details },
    },
  )
}

/**
 * For an http:// address, the proxy's own answers look like the server's. A 407 is always the proxy's. Squid marks its
 * own pages, which shows that the server was not reached.
 */
export function refusalIn(
  answer: { status: number; headers: IncomingHttpHeaders },
  proxy: string,
  url: string,
): CoeError | undefined {
  const own = answer.status === 407 || (answer.status >= 400 && answer.headers['x-squid-error'] !== undefined)
  return own ? proxyRefusal({ ...answer, proxy: new URL(proxy), server: new URL(url).host }) : undefined
}
