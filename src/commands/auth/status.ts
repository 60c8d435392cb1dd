import { type Column, defineCommand } from '../../cli/spec.ts'
import type { Identity } from '../../openstack/identity.ts'
import type { CloudSession } from '../../openstack/session.ts'
import { identityColumns, identityRow } from './columns.ts'

const columns: readonly Column[] = [
  ...identityColumns,
  { name: 'token', type: 'string', help: 'kept (saved by an earlier run), new, or given', nullable: false },
  { name: 'magnum_endpoint', type: 'string', help: 'address of Magnum for this cloud', nullable: false },
]

export const authStatus = defineCommand({
  words: 'auth status',
  summary: 'Show your user and roles in the cloud',
  description:
    'Shows which cloud is used and why, your user and roles, when the token expires, and the address of Magnum. Checks a saved token with Keystone, which may have revoked it, and then gets a new one.',
  args: {},
  options: {},
  examples: [
    { line: 'coe auth status', help: 'the cloud that would be used now' },
    { line: 'coe auth status --os-cloud prod -f value -c roles', help: 'your roles in prod' },
  ],
  output: { kind: 'show', columns },
  exits: { 4: 'Keystone refuses the credentials' },
  async run(context) {
    const session = await context.cloud()
    const { identity, token } = await current(session)
    return { object: { ...identityRow(session, identity), token, magnum_endpoint: await session.magnumUrl() } }
  },
})

async function current(session: CloudSession): Promise<{ identity: Identity; token: string }> {
  const saved = await session.cachedIdentity()
  if (saved && (await session.stillValid(saved.token))) return { identity: await session.identity(), token: 'kept' }
  const identity = await session.identity({ renew: saved !== undefined })
  return { identity, token: identity.expiresAt === undefined ? 'given' : 'new' }
}
