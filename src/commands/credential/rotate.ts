import { requireNoun } from '../../cli/backend-nouns.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { clusterShowColumns } from '../cluster/columns.ts'

export const credentialRotate = defineCommand({
  words: 'credential rotate',
  summary: 'Replace the credentials of a cluster for its cloud',
  description:
    'Gives a cluster new credentials for OpenStack, in your name. Needs Magnum 2025.2 or newer, and a driver that supports it.',
  needs: 'credentials',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: { ...waitOptions },
  examples: [{ line: 'coe credential rotate prod', help: 'when the user who created it has left' }],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 3: 'there is no such cluster' },
  async run(context, { args, options }) {
    const credentials = await requireNoun(context, 'credentials')
    const accepted = (uuid: string) => context.say(`Request to rotate credentials for cluster ${uuid} accepted.`)
    const operation = { ...(await context.operation(options)), accepted }
    return { object: await credentials.rotate(context.call, args.cluster, operation) }
  },
})
