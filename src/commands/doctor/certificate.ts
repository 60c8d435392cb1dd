/** The certificate that a server shows: signed by whom, for which name, until when. */
import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { transportError } from '../../http/failure.ts'
import { type Check, failure, ok, skip, warn, within } from './check.ts'
import { addressOf, type Target } from './network.ts'

const soonMs = 14 * 24 * 3_600_000

export interface Trust {
  /** PEM text; Node's own list when absent. */
  ca: string | undefined
  verify: boolean
  /** How to have it verified again. */
  unverified: string
  /** For another name than the address has. */
  serverName?: string | undefined
  /** What to do when it is of nobody who is known; for clouds when absent. */
  hint?: string | undefined
}

export async function checkCertificate(target: Target, trust: Trust, now: number): Promise<Check> {
  const check = `${target.label} tls`
  const { limitMs = 5_000 } = target
  if (!target.url.startsWith('https:')) {
    if (/^(?:127\.|::1$|localhost$)/.test(addressOf(target.url).host))
      return ok(check, 'not encrypted, within this machine')
    return warn(
      check,
      'not encrypted: tokens and passwords can be read on the way',
      'use the https:// address, if there is one',
    )
  }
  if (target.proxy) return skip(check, 'through a proxy: looked at with the API below')
  try {
    const socket = await within(limitMs, target.signal, signal => handshake(target.url, trust, signal))
    const certificate = socket.getPeerCertificate(true)
    const problem = socket.authorizationError as unknown
    socket.destroy()
    return judge(check, target, trust, { certificate, problem, now })
  } catch (error) {
    return failure(
      check,
      transportError(error, target, limitMs),
      'the server may hang, or speak http:// rather than https://',
    )
  }
}

/** Nothing is sent over it: the certificate is taken as it is, so that it can be told what is wrong with it. */
function handshake(url: string, { ca, serverName }: Trust, signal: AbortSignal): Promise<TLSSocket> {
  const { host, port } = addressOf(url)
  return new Promise((resolve, reject) => {
    const name = serverName ? { servername: serverName } : isIP(host) ? {} : { servername: host }
    const socket = connect({ host, port, ...name, ...(ca ? { ca } : {}), rejectUnauthorized: false })
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', reject)
  })
}

interface Shown {
  certificate: DetailedPeerCertificate
  /** A code, or an error for a name that does not fit. */
  problem: unknown
  now: number
}

function judge(check: string, target: Target, trust: Trust, { certificate, problem, now }: Shown): Check {
  const until = new Date(certificate.valid_to)
  const what = `${chain(certificate).join(' ← ')}, valid until ${until.toISOString().slice(0, 10)}`
  if (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : problem
    const peer = { name: target.name, url: target.url, trustHint: trust.hint }
    const told = transportError(Object.assign(new Error(String(problem)), { code: String(code) }), peer)
    if (trust.verify) return { ...failure(check, told), detail: `${told.message}: ${what}` }
    return warn(check, `${told.message}; not verified, as asked for: ${what}`, told.hint ?? 'verify certificates')
  }
  if (!trust.verify) return warn(check, `good, but not verified: ${what}`, trust.unverified)
  if (until.getTime() - now < soonMs) return warn(check, `expires soon: ${what}`, 'its owner must renew it')
  return ok(check, what)
}

const nameOf = (name: { CN?: unknown; O?: unknown } | undefined): string => String(name?.CN ?? name?.O ?? 'unnamed')

/** Subject, issuer, … up to the root, by their names. */
function chain(first: DetailedPeerCertificate): string[] {
  const names: string[] = []
  const seen = new Set<DetailedPeerCertificate>()
  for (let c: DetailedPeerCertificate | undefined = first; c && !seen.has(c); c = c.issuerCertificate) {
    seen.add(c)
    names.push(nameOf(c.subject))
    // the server did not send who signed it: the name is all there is
    if (c.issuerCertificate === undefined && nameOf(c.issuer) !== nameOf(c.subject)) names.push(nameOf(c.issuer))
  }
  return names
}
