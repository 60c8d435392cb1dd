import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto'
import type { ControlPlane } from '../control-plane.ts'
import type { KubeObject } from '../object.ts'

/** Who a request comes from. */
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
  /** Undefined when this server did not sign it, it is over, or what it stands for is gone. */
  userOf(token: string, plane: ControlPlane): User | undefined
  /** Another key pair from now on: nothing that the one before signed is taken any more. With the API server alone, the controller goes on signing with the old one. */
  rotate(who?: 'all' | 'API server'): void
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface SigningKeys {
  privateKey: KeyObject
  publicKeys: KeyObject[]
}

/** The key pair is made when first needed: most of a hundred members never sign anything. */
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
  /** A signature does not become wrong again; all else is looked at each time. */
  const verified = new Set<string>()
  /** By what they say: a Secret that is made anew for the same account holds the token that it held before. */
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
