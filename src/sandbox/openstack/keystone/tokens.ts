import { randomBytes } from 'node:crypto'
import type { SandboxClock } from '../../clock.ts'
import type { ApplicationCredential, Domain, Project, Role, Trust, User } from './directory.ts'

export type Scope =
  | { kind: 'project'; project: Project }
  | { kind: 'domain'; domain: Domain }
  | { kind: 'system' }
  | { kind: 'trust'; trust: Trust; project: Project }
  | { kind: 'unscoped' }

export interface Token {
  id: string
  user: User
  scope: Scope
  roles: Role[]
  methods: string[]
  auditIds: string[]
  issuedAt: number
  expiresAt: number
  applicationCredential: ApplicationCredential | undefined
}

export interface Tokens {
  issue(token: Omit<Token, 'id' | 'auditIds' | 'issuedAt' | 'expiresAt'>, parent?: Token): Token
  /** Undefined if unknown, expired or revoked. */
  valid(id: string | undefined): Token | undefined
  revoke(token: Token): void
  revokeAll(): void
  /** The lifetime of tokens issued from now on. */
  lifetimeMs: number
}

export function createTokens(clock: SandboxClock, lifetimeMs = 86_400_000): Tokens {
  const known = new Map<string, Token>()
  const tokens: Tokens = {
    lifetimeMs,
    issue(what, parent) {
      const auditId = randomBytes(16).toString('base64url')
      const now = clock.now()
      const token: Token = {
        ...what,
        id: `gAAAAAB${randomBytes(100).toString('base64url')}`,
        auditIds: parent ? [auditId, parent.auditIds.at(-1) as string] : [auditId],
        // in full seconds, as in Keystone
        issuedAt: Math.floor(now / 1000) * 1000,
        // a token made from a token does not outlive it: otherwise a login could be extended for ever
        expiresAt: parent?.expiresAt ?? Math.floor((now + tokens.lifetimeMs) / 1000) * 1000,
      }
      known.set(token.id, token)
      return token
    },
    valid(id) {
      const token = id === undefined ? undefined : known.get(id)
      return token && token.expiresAt > clock.now() ? token : undefined
    },
    revoke(token) {
      known.delete(token.id)
    },
    revokeAll() {
      known.clear()
    },
  }
  return tokens
}
