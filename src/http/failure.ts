/** Messages for failures below HTTP: one table, applied to the chain of causes. */

import { type CoeError, CoeError as CoeErrorClass, causeChain, errorCode, failed } from '../core/errors.ts'
import { neverSent } from '../core/failed-request.ts'

interface Known {
  says: string
  hint?: string
}

const tlsHint =
  'name the authority that signed it with --os-cacert FILE (OS_CACERT, cacert: in clouds.yaml) or NODE_EXTRA_CA_CERTS; the system store is not read. --insecure turns verification off'

const closedEarly: Known = {
  says: 'closed the connection before it answered',
  hint: 'it may be restarting, or a proxy or firewall closes connections: run this again in a moment',
}

const known: Record<string, Known> = {
  ECONNREFUSED: { says: 'refused the connection', hint: 'is the service running, and are address and port right?' },
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  EHOSTUNREACH: { says: 'cannot be reached (no route to the host)', hint: 'is a VPN or a proxy needed to get there?' },
  ENETUNREACH: {
    says: 'cannot be reached (no route to its network)',
    hint: 'is a VPN or a proxy needed to get there?',
  },
  ENOTFOUND: { says: 'has a name that cannot be resolved', hint: 'check the spelling of the address, and DNS' },
  EAI_AGAIN: { says: 'has a name that cannot be resolved now', hint: 'DNS does not answer; check the network' },
  ETIMEDOUT: { says: 'did not answer in time' },
  SELF_SIGNED_CERT_IN_CHAIN: { says: 'presents a certificate that no known authority signed', hint: tlsHint },
  DEPTH_ZERO_SELF_SIGNED_CERT: { says: 'presents a self-signed certificate', hint: tlsHint },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { says: 'presents a certificate that no known authority signed', hint: tlsHint },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { says: 'presents a certificate that no known authority signed', hint: tlsHint },
  CERT_SIGNATURE_FAILURE: { says: 'presents a certificate that another authority signed', hint: tlsHint },
  CERT_HAS_EXPIRED: {
    says: 'presents a certificate that has expired',
    hint: 'is the clock of this machine right? Else its owner must renew it',
  },
  CERT_NOT_YET_VALID: {
    says: 'presents a certificate that is not valid yet',
    hint: 'is the clock of this machine right?',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: 'presents a certificate that is for another name',
    hint: 'use a name that the certificate holds, as its address or (in a kubeconfig) as tls-server-name',
  },
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: {
    says: 'cannot be sent the client certificate: the client key does not belong to it',
    hint: 'get the certificate and its key again, together',
  },
  EPROTO: { says: 'does not speak TLS as expected', hint: 'is it http:// rather than https://?' },
  ERR_SSL_WRONG_VERSION_NUMBER: { says: 'does not speak TLS', hint: 'is it http:// rather than https://?' },
  HPE_INVALID_CONSTANT: {
    says: 'does not speak HTTP',
    hint: 'is this the right port, and https:// rather than http://?',
  },
  ERR_INVALID_URL: { says: 'is not a valid address' },
}

export interface Peer {
  /** Its name: `Keystone`, `Magnum`, `the API server of "c2"`. */
  name: string
  /** Its address, without user information and query. */
  url: string
  /** The proxy in between, without credentials. */
  proxy?: string | undefined
  /** The hint for an untrusted certificate, if its CA is not configured as for OpenStack. */
  trustHint?: string | undefined
}

/** The address without credentials and query. */
export function shownUrl(url: string): string {
  try {
    const u = new URL(url)
    return `${u.protocol}//${u.host}${u.pathname}`
  } catch {
    return url.replace(/\/\/[^/@]*@/, '//').replace(/\?.*/s, '')
  }
}

/** Turns a transport failure into a CoeError. Errors of our own aborts pass unchanged. */
export function transportError(error: unknown, peer: Peer, limitMs?: number): CoeError {
  for (const e of causeChain(error)) if (e instanceof CoeErrorClass) return e
  const code = errorCode(error)
  const where = shownUrl(peer.url)
  const name = causeChain(error).find(e => e.name === 'TimeoutError')
  if (name) {
    const ms = expiredLimit(name) ?? limitMs
    const after = ms === undefined ? '' : ` within ${Math.round(ms / 100) / 10} s`
    const by = peer.proxy === undefined ? '' : ` through the proxy ${peer.proxy}`
    const inTls = (name as { event?: unknown }).event === 'secureConnect'
    return timedOutAsFailure(`${peer.name} did not answer${after}${by} (${where})`, inTls, code, error)
  }
  const entry = code === undefined ? undefined : (known[code] ?? tlsPattern(code))
  const detail = entry ? '' : `: ${causeChain(error).at(-1)?.message ?? String(error)}`
  const who = peer.proxy === undefined ? peer.name : `${peer.name}, through the proxy ${peer.proxy},`
  const what = entry ? `${who} ${entry.says}` : `the request to ${who} failed`
  return failed(`${what} (${where}${code ? `, ${code}` : ''})${detail}`, {
    hint: hintOf(entry, code, peer),
    cause: error,
    details: { code, url: where },
  })
}

function hintOf(entry: Known | undefined, code: string | undefined, peer: Peer): string | undefined {
  if (entry?.hint === tlsHint) return peer.trustHint ?? tlsHint
  // the server itself was not reached
  if (peer.proxy !== undefined && neverSent(code)) return `is the proxy right, and running? ${proxySources}`
  if (code === 'ECONNRESET' && peer.url.startsWith('http:')) return 'is it https:// rather than http://?'
  return entry?.hint
}

const proxySources =
  'It is set by HTTPS_PROXY and the like (NO_PROXY makes exceptions), or by proxy-url in the kubeconfig'

/** Connecting has a shorter limit than the complete request, and only the text of got's error says which one expired. */
function expiredLimit({ message }: Error): number | undefined {
  const ms = / for (\d+)ms$/.exec(message)?.[1]
  return ms === undefined ? undefined : Number(ms)
}

/** A server that hangs is a failure (exit 1); exit 7 is for waits that the user requested. */
function timedOutAsFailure(message: string, inTls: boolean, code: string | undefined, cause: unknown): CoeError {
  return failed(message, {
    hint: inTls
      ? 'the server accepted the connection but did not speak TLS: is it http:// rather than https://? It may also be overloaded'
      : 'it may be overloaded, or a firewall drops the packets',
    cause,
    details: { code: code ?? 'ETIMEDOUT' },
  })
}

const tlsPattern = (code: string): Known | undefined =>
  /^(ERR_SSL|ERR_TLS|ERR_OSSL)/.test(code) ? { says: `failed the TLS handshake (${code})`, hint: tlsHint } : undefined
