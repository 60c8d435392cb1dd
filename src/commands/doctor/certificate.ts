/** Checks a server's certificate: its issuer, its name, and when it expires. */
import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { transportError } from '../../http/failure.ts'
import { type Check, failure, ok, skip, warn, within } from './check.ts'
import { addressOf, type Target } from './network.ts'

const soonMs = 14 * 24 * 3_600_000

export interface Trust {
  /** PEM text; undefined for Node's own list. */
  ca: string | undefined
  verify: boolean
  /** Tells the user how to enable verification. */
  unverified: string
  /** The name to verify, if it differs from the address. */
  serverName?: string | undefined
  /** What to do about an unknown issuer; defaults to advice for clouds. */
  hint?: string | undefined
}

export async function checkCertificate(target: Target, trust: Trust, now: number): Promise<Check> {
  const check = `${target.label} tls`
  const { limitMs = 5_000 } = target
  if (!target.url.startsWith('https:')) {
    if (/^(?:127\.|::1$|localhost$)/.test(addressOf(target.url).host))
      return ok(check, 'not encrypted, but on this machine')
    return warn(
      check,
      'not encrypted: others can read tokens and passwords in transit',
      'use the https:// address, if there is one',
    )
  }
  if (target.proxy) return skip(check, 'through a proxy: checked with the API below')
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

/** Accepts any certificate, to find out what is wrong with it. Nothing is sent over the connection. */
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

interface Presented {
  certificate: DetailedPeerCertificate
  /** A code, or an error for a name that does not match. */
  problem: unknown
  now: number
}

function judge(check: string, target: Target, trust: Trust, { certificate, problem, now }: Presented): Check {
  const until = new Date(certificate.valid_to)
  const what = `${chain(certificate).join(' ← ')}, valid until ${until.toISOString().slice(0, 10)}`
  if (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : problem
    const peer = { name: target.name, url: target.url, trustHint: trust.hint }
    const error = transportError(Object.assign(new Error(String(problem)), { code: String(code) }), peer)
    if (trust.verify) return { ...failure(check, error), detail: `${error.message}: ${what}` }
    return warn(check, `${error.message}; not verified, as configured: ${what}`, error.hint ?? 'verify certificates')
  }
  if (!trust.verify) return warn(check, `valid, but not verified: ${what}`, trust.unverified)
  if (until.getTime() - now < soonMs) return warn(check, `expires soon: ${what}`, 'its owner must renew it')
  return ok(check, what)
}

const nameOf = (name: { CN?: unknown; O?: unknown } | undefined): string => String(name?.CN ?? name?.O ?? 'unnamed')

/** The names of the subject, its issuer and so on, up to the root. */
function chain(first: DetailedPeerCertificate): string[] {
  const names: string[] = []
  const seen = new Set<DetailedPeerCertificate>()
  for (let c: DetailedPeerCertificate | undefined = first; c && !seen.has(c); c = c.issuerCertificate) {
    seen.add(c)
    names.push(nameOf(c.subject))
    // the server did not send the issuer's certificate, so only the name is known
    if (c.issuerCertificate === undefined && nameOf(c.issuer) !== nameOf(c.subject)) names.push(nameOf(c.issuer))
  }
  return names
}
