import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto'
import type { ControlPlane } from '../control-plane.ts'
import type { KubeObject } from '../object.ts'

/** The user of a request. */
export interface User {
  name: string
  groups: string[]
  uid?: string
  extra?: Record<string, string[]>
}

/** Signs and reads the JSON web tokens of service accounts. */
export interface TokenSigner {
  legacy(secret: KubeObject, account: KubeObject): string
  bound(account: KubeObject, audiences: string[], expiresAt: number): string
  /** Undefined if this server did not sign it, it has expired, or its object is gone. */
  userOf(token: string, plane: ControlPlane): User | undefined
  /**
   * Replaces the key pair: tokens signed with the previous one are refused. With `API server` alone, the controller
   * goes on signing with the old one.
   */
  rotate(who?: 'all' | 'API server'): void
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface SigningKeys {
  privateKey: KeyObject
  publicKeys: KeyObject[]
}

/** The key pair is made on first use, because most of a hundred members never sign anything. */
export function createTokenSigner(
  given?: SigningKeys,
  issuer = 'https://kubernetes.default.svc.cluster.local',
): TokenSigner {
  let keys = given
  const signingKeys = (): SigningKeys => {
    if (!keys) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      keys = { privateKey, publicKeys: [publicKey] }
    }
    return keys
  }
  /** A signature stays valid, so it is cached; everything else is checked each time. */
  const verified = new Set<string>()
  /** Cached by content: a Secret recreated for the same account holds the same token as before. */
  const legacyTokens = new Map<string, string>()
  const algorithm = (key: KeyObject) => (key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256')
  const make = (claims: object): string => {
    const { privateKey, publicKeys } = signingKeys()
    const der = (publicKeys[0] as KeyObject).export({ type: 'spki', format: 'der' })
    const kid = createHash('sha256').update(der).digest('base64url')
    const text = `${encode({ alg: algorithm(privateKey), kid })}.${encode(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  const subject = (namespace: string, name: string) => `system:serviceaccount:${namespace}:${name}`

  return {
    rotate(who = 'all') {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      keys = { privateKey: who === 'all' ? privateKey : signingKeys().privateKey, publicKeys: [publicKey] }
      verified.clear()
      legacyTokens.clear()
    },
    legacy(secret, account) {
      const claims = {
        iss: 'kubernetes/serviceaccount',
        'kubernetes.io/serviceaccount/namespace': secret.metadata.namespace,
        'kubernetes.io/serviceaccount/secret.name': secret.metadata.name,
        'kubernetes.io/serviceaccount/service-account.name': account.metadata.name,
        'kubernetes.io/serviceaccount/service-account.uid': account.metadata.uid,
        sub: subject(secret.metadata.namespace as string, account.metadata.name),
      }
      const text = JSON.stringify(claims)
      const token = legacyTokens.get(text) ?? make(claims)
      legacyTokens.set(text, token)
      return token
    },
    bound: (account, audiences, expiresAt) =>
      make({
        aud: audiences.length > 0 ? audiences : [issuer],
        exp: Math.floor(expiresAt / 1000),
        iss: issuer,
        jti: randomUUID(),
        'kubernetes.io': {
          namespace: account.metadata.namespace,
          serviceaccount: { name: account.metadata.name, uid: account.metadata.uid },
        },
        sub: subject(account.metadata.namespace as string, account.metadata.name),
      }),
    userOf(token, plane) {
      const [head, body, signature] = token.split('.')
      if (!head || !body || !signature) return undefined
      const good =
        verified.has(token) ||
        signingKeys().publicKeys.some(key =>
          verify(
            'sha256',
            Buffer.from(`${head}.${body}`),
            { key, dsaEncoding: 'ieee-p1363' },
            Buffer.from(signature, 'base64url'),
          ),
        )
      if (!good) return undefined
      verified.add(token)
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
      if (claims.exp !== undefined && claims.exp * 1000 < plane.wallNow()) return undefined
      const bound = claims['kubernetes.io']
      const namespace = bound?.namespace ?? claims['kubernetes.io/serviceaccount/namespace']
      const name = bound?.serviceaccount.name ?? claims['kubernetes.io/serviceaccount/service-account.name']
      const uid = bound?.serviceaccount.uid ?? claims['kubernetes.io/serviceaccount/service-account.uid']
      if (plane.store.get('serviceaccounts', namespace, name)?.metadata.uid !== uid) return undefined
      const secretName = claims['kubernetes.io/serviceaccount/secret.name']
      if (secretName) {
        const secret = plane.store.get('secrets', namespace, secretName)
        if (!secret || Buffer.from(secret.data?.token ?? '', 'base64').toString() !== token) return undefined
      }
      return {
        name: subject(namespace, name),
        uid,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      }
    },
  }
}
