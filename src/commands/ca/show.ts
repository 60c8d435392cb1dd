import { requireNoun } from '../../cli/backend-nouns.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { caType, certificateColumns } from './columns.ts'
import { printed } from './pem.ts'

export const caShow = defineCommand({
  words: 'ca show',
  summary: "Show a cluster's CA certificate",
  description:
    'Prints the CA certificate that verifies the API server of a cluster. Only the user who created the cluster may see it.',
  needs: 'certificates',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: { caType },
  examples: [
    { line: 'coe ca show prod > ca.pem', help: 'into a file' },
    { line: 'coe ca show prod --ca-type etcd', help: "the authority of the cluster's etcd" },
  ],
  output: { kind: 'text', columns: certificateColumns },
  exits: { 3: 'there is no such cluster', 4: 'another user created the cluster' },
  async run(context, { args, options }) {
    const certificates = await requireNoun(context, 'certificates')
    const certificate = await certificates.show(context.call, args.cluster, options.caType)
    return { object: certificate, text: printed(context, certificate) }
  },
})
