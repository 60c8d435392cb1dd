import type { CatalogEntry } from './catalog.ts'
import type { Token } from './tokens.ts'

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`

/** The body of a token in Keystone's answers. */
export function tokenView(token: Token, catalog: CatalogEntry[] | undefined): object {
  const { user, scope, roles } = token
  const shown: Record<string, unknown> = {
    methods: token.methods,
    user: { domain: user.domain, id: user.id, name: user.name, password_expires_at: null },
    audit_ids: token.auditIds,
    expires_at: time(token.expiresAt),
    issued_at: time(token.issuedAt),
  }
  if (scope.kind === 'project' || scope.kind === 'trust') {
    const { domain, id, name } = scope.project
    shown.project = { domain, id, name }
    shown.is_domain = false
  }
  if (scope.kind === 'domain') shown.domain = scope.domain
  if (scope.kind !== 'unscoped') shown.roles = roles.map(({ id, name }) => ({ id, name }))
  if (scope.kind === 'system') shown.system = { all: true }
  if (scope.kind === 'trust') {
    const { id, trustor, trustee } = scope.trust
    shown['OS-TRUST:trust'] = {
      id,
      trustor_user: { id: trustor.id },
      trustee_user: { id: trustee.id },
      impersonation: false,
    }
  }
  if (scope.kind !== 'unscoped' && catalog) shown.catalog = catalog
  if (token.applicationCredential) {
    const { id, name, restricted } = token.applicationCredential
    shown.application_credential = { id, name, restricted }
  }
  return { token: shown }
}
