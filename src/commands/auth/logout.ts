import { flag } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { coePaths } from '../../config/paths.ts'
import { usage } from '../../core/errors.ts'
import { plural } from '../../core/text.ts'

const columns: readonly Column[] = [
  { name: 'tokens', type: 'integer', help: 'number of saved tokens that were deleted', nullable: false },
  { name: 'revoked', type: 'boolean', help: 'whether Keystone revoked it, too', nullable: false },
]

export const authLogout = defineCommand({
  words: 'auth logout',
  summary: 'Delete the saved token',
  description:
    'Deletes the saved token of the cloud. With --revoke, Keystone also revokes it for everyone who has it. With --all, it deletes the tokens of all clouds.',
  args: {},
  options: {
    revoke: flag('revoke', 'also have Keystone revoke the token'),
    all: flag('all', 'delete the tokens of all clouds'),
  },
  examples: [
    { line: 'coe auth logout --revoke', help: 'the token no longer works afterwards' },
    { line: 'coe auth logout --all', help: 'leave nothing on this machine' },
  ],
  output: { kind: 'text', columns },
  async run(context, { options }) {
    if (options.all) {
      if (options.revoke) throw usage('--revoke works for one cloud: with --all, the cloud of each token is unknown')
      const { dropAll } = await import('../../openstack/token-cache.ts')
      const { cache } = coePaths(context.world)
      const tokens = cache === undefined ? 0 : await dropAll(`${cache}/tokens`)
      context.say(tokens > 0 ? `Deleted ${plural(tokens, 'saved token')}` : 'There was no saved token')
      return { object: { tokens, revoked: false } }
    }
    const session = await context.cloud()
    const had = await session.logout(options.revoke)
    const { name } = session.cloud
    const ended = options.revoke ? 'Revoked' : 'Deleted'
    context.say(had ? `${ended} the saved token of cloud ${name}` : `There was no saved token of cloud ${name}`)
    return { object: { tokens: had ? 1 : 0, revoked: had && options.revoke } }
  },
})
