import { type Column, defineCommand } from '../../cli/spec.ts'
import { loginKind } from '../../config/clouds/login-kinds.ts'
import { coePaths } from '../../config/paths.ts'
import { failed, usage } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import { distrust } from '../../core/own-file.ts'
import { shellWord } from '../../core/shell-word.ts'
import type { CloudSession } from '../../openstack/session.ts'
import { identityColumns, identityRow } from './columns.ts'

const columns: readonly Column[] = identityColumns

export const authLogin = defineCommand({
  words: 'auth login',
  summary: 'Get a new token and save it',
  description:
    'Asks Keystone for a new token and saves it for later runs, in a file that only you can read. Asks you for the password if none is configured and there is a terminal; later runs then need none until the token expires.',
  args: {},
  options: {},
  examples: [{ line: 'coe auth login --os-cloud prod', help: 'enter the password once, work until the token expires' }],
  output: { kind: 'text', columns },
  exits: { 4: 'Keystone refuses the credentials' },
  async run(context) {
    const session = await context.cloud()
    if (!session.caches)
      throw usage(whyNotSaved(session), { hint: 'no login is needed: every run uses the configured credentials' })
    const identity = await session.identity({ renew: true })
    const saved = await session.cachedIdentity()
    if (saved?.token !== identity.token) {
      const folder = `${coePaths(context.world).cache}/tokens`
      const why = distrust(folder, context.world.uid)
      throw failed(`the login worked, but its token could not be saved in ${folder}${why ? `: ${why}` : ''}`, {
        hint: `${why ? `if the folder is yours, run: chmod go-w ${shellWord(folder)}` : 'make the folder writable'}; or name another with COE_CACHE_DIR`,
        next: [nextStep('look closer', 'doctor')],
      })
    }
    const { user, project, expiresAt } = identity
    const where = project ? ` in project ${project.name}` : ''
    context.say(`Logged in to cloud ${session.cloud.name} as ${user?.name ?? 'unknown'}${where} until ${expiresAt}`)
    return { object: identityRow(session, identity) }
  },
})

function whyNotSaved({ authType, cloud }: CloudSession): string {
  if (loginKind(authType)?.cached) return 'tokens are not saved: token_cache is off, or there is no cache folder'
  return `cloud "${cloud.name}" is used with auth type ${authType}, which needs no login`
}
