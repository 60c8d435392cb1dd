import type { Context } from '../../cli/context.ts'
import { flag } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { commit, version as number } from '../../cli/version.ts'
import { magnumVersions } from '../../openstack/magnum-api/versions.ts'

const columns: readonly Column[] = [
  { name: 'version', type: 'string', help: 'version of this program', nullable: false },
  { name: 'commit', type: 'string', help: 'commit that it was built from', nullable: false },
  { name: 'node', type: 'string', help: 'version of Node.js it runs on', nullable: false },
  { name: 'platform', type: 'string', help: 'system and processor', nullable: false },
  { name: 'magnum_endpoint', type: 'string', help: 'address of Magnum (--server)', long: true },
  { name: 'magnum_min_version', type: 'string', help: 'oldest API version that it supports (--server)', long: true },
  { name: 'magnum_max_version', type: 'string', help: 'newest API version that it supports (--server)', long: true },
]

export const version = defineCommand({
  words: 'version',
  summary: 'Show the version',
  description:
    "Shows the version of this program, and with --server the API versions that the cloud's Magnum supports.",
  args: {},
  options: { server: flag('server', 'also ask Magnum for its versions') },
  examples: [
    { line: 'coe version', help: 'for a bug report' },
    { line: 'coe version --server -f json', help: 'with the versions of Magnum' },
  ],
  output: { kind: 'text', columns },
  async run(context, { options }) {
    const { node, platform } = context.host.versions
    const server = options.server ? await ofServer(context) : undefined
    context.say(`coe ${number} (commit ${commit}, node ${node}, ${platform})`)
    if (server) {
      const { magnum_endpoint, magnum_min_version, magnum_max_version } = server
      context.say(`Magnum API ${magnum_min_version ?? '?'} to ${magnum_max_version ?? '?'} (${magnum_endpoint})`)
    }
    return { object: { version: number, commit, node, platform, ...server }, long: options.server }
  },
})

async function ofServer(context: Context) {
  const session = await context.cloud()
  const { min, max } = await magnumVersions(await session.magnum())
  return { magnum_endpoint: await session.magnumUrl(), magnum_min_version: min, magnum_max_version: max }
}
