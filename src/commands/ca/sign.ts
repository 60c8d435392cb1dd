import { requireNoun } from '../../cli/backend-nouns.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { caType, certificateColumns } from './columns.ts'
import { printed } from './pem.ts'
import { readRequest } from './request-file.ts'

export const caSign = defineCommand({
  words: 'ca sign',
  summary: "Have a cluster's CA sign a certificate request",
  description:
    'Sends a certificate request (PEM) to be signed, and prints the certificate. Its subject decides which user and groups the holder has in the cluster: O=system:masters may do everything. Only the user who created the cluster may do this.',
  needs: 'certificates',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    csr: arg('file with the request; - reads it from standard input', { complete: 'file' }),
  },
  options: { caType },
  examples: [
    { line: 'coe ca sign prod jane.csr > jane.pem', help: 'a certificate from a request' },
    {
      line: 'openssl req -new -key jane.key -subj /O=viewers/CN=jane | coe ca sign prod -',
      help: 'without a file',
    },
  ],
  output: { kind: 'text', columns: certificateColumns },
  exits: {
    1: 'the request cannot be read, or is not a certificate request',
    3: 'there is no such cluster',
    4: 'another user created the cluster',
  },
  async run(context, { args, options }) {
    const csr = await readRequest(context, args.csr)
    const certificates = await requireNoun(context, 'certificates')
    const certificate = await certificates.sign(context.call, args.cluster, csr, options.caType)
    return { object: certificate, text: printed(context, certificate) }
  },
})
