import { requireNoun } from '../../cli/backend-nouns.ts'
import { requireConsent, yesOption } from '../../cli/options/consent.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { clusterShowColumns } from '../cluster/columns.ts'

export const caRotate = defineCommand({
  words: 'ca rotate',
  summary: "Replace a cluster's CA certificate",
  description:
    "Gives a cluster a new CA: existing certificates and kubeconfigs stop working. On clouds whose driver cannot rotate (most of today's), Magnum stores a new CA that the cluster never gets, and certificates signed from then on do not work there: ask your operator first.",
  needs: 'certificates',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: { yes: yesOption, ...waitOptions },
  examples: [
    { line: 'coe ca rotate prod --wait', help: 'ask first at a terminal, then wait until it is done' },
    { line: 'coe ca rotate prod --yes', help: 'without confirmation' },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 2: '--no-input, and no --yes', 5: 'the cluster is not in a state to be changed' },
  async run(context, { args, options }) {
    const question = `Replace the CA of cluster "${args.cluster}"? All existing certificates and kubeconfigs stop working. If the cloud's driver cannot rotate, Magnum is left with a CA that the cluster does not have.`
    const certificates = await requireNoun(context, 'certificates')
    const confirmed = await requireConsent(context, question, { ...options, silenceIsYes: true })
    const accepted = (uuid: string) => {
      context.say(`Request to rotate the CA certificate for cluster ${uuid} has been accepted.`)
      if (!confirmed) context.warn('all existing certificates and kubeconfigs stop working')
    }
    const operation = { ...(await context.operation(options)), accepted }
    return { object: await certificates.rotate(context.call, args.cluster, operation) }
  },
})
