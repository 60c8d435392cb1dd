/** The user's identity in a cloud, as columns and a row. */
import type { Column, Row } from '../../cli/spec.ts'
import type { Identity } from '../../openstack/identity.ts'
import type { CloudSession } from '../../openstack/session.ts'

export const identityColumns: readonly Column[] = [
  { name: 'cloud', type: 'string', help: 'name of the cloud', nullable: false },
  { name: 'chosen_by', type: 'string', help: 'why this cloud is used', nullable: false },
  { name: 'auth_url', type: 'string', help: 'address of Keystone' },
  { name: 'auth_type', type: 'string', help: 'how coe logs in', nullable: false },
  { name: 'user', type: 'string', help: 'name of the user; null without Keystone' },
  { name: 'user_id', type: 'string', help: 'identifier of the user' },
  { name: 'project', type: 'string', help: 'name of the project; null for a token without one' },
  { name: 'project_id', type: 'string', help: 'identifier of the project' },
  { name: 'roles', type: 'array', help: 'what the token allows', nullable: false },
  { name: 'expires_at', type: 'string', help: 'when the token expires' },
]

export function identityRow({ cloud, authType }: CloudSession, identity: Identity): Row {
  return {
    cloud: cloud.name,
    chosen_by: cloud.chosenBy,
    auth_url: cloud.auth.auth_url ?? null,
    auth_type: authType,
    user: identity.user?.name ?? null,
    user_id: identity.user?.id ?? null,
    project: identity.project?.name ?? null,
    project_id: identity.project?.id ?? null,
    roles: identity.roles,
    expires_at: identity.expiresAt ?? null,
  }
}
