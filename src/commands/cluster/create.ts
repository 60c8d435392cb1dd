import { warnOfLostLabels } from '../../cli/options/lost-labels.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { flag, magnumName } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { flagArg, nextStep } from '../../core/next-step.ts'
import { engineOf } from '../federation/input/engine-options.ts'
import { clusterShowColumns } from './columns.ts'
import { clusterCreateOptions, clusterRequest } from './create-options.ts'
import { shown } from './shown.ts'

export const clusterCreate = defineCommand({
  words: 'cluster create',
  summary: 'Create a cluster',
  description:
    'Creates a cluster from a template. Settings that you do not give come from the template. Without --wait it returns as soon as the request is accepted.',
  args: { name: magnumName('name of the cluster') },
  options: {
    ...clusterCreateOptions,
    ifNotExists: flag(
      'if-not-exists',
      'use the cluster of that name if the project has one; when several runs create it at once, all but the first fail (exit 5)',
    ),
    allowDuplicate: flag('allow-duplicate', 'create it even if the project has one of that name'),
    ...waitOptions,
  },
  examples: [
    { line: 'coe cluster create prod --cluster-template k8s --node-count 3 --wait', help: 'wait until it is complete' },
    {
      line: 'coe cluster create prod --cluster-template k8s --label kube_tag=v1.29.3 --merge-labels',
      help: "add one label to the template's",
    },
    {
      line: 'coe cluster create prod --cluster-template k8s --if-not-exists --wait -f json',
      help: 'safe to repeat, one run after another',
    },
  ],
  output: { kind: 'text', columns: clusterShowColumns },
  exits: { 5: 'the project has a cluster of that name, or another run created one at the same time' },
  async run(context, { args, options }) {
    if (options.ifNotExists && options.allowDuplicate) {
      throw usage('--if-not-exists and --allow-duplicate exclude each other')
    }
    const request = clusterRequest(args.name, options)
    const { clusters } = await context.backend()
    const duplicate = options.ifNotExists ? 'reuse' : options.allowDuplicate ? 'allow' : 'refuse'
    const operation = await context.operation(options)
    const accepted = (uuid: string) => context.say(`Request to create cluster ${uuid} accepted`)
    const [made] = await Promise.all([
      clusters.create(
        context.call,
        request,
        { duplicate, driverOptions: engineOf(options).options },
        { ...operation, accepted },
      ),
      warnOfLostLabels(context, request, {
        what: `template "${request.template}"`,
        made: 'the cluster',
        get: async () => (await context.backend()).templates?.get(context.call, request.template),
      }),
    ])
    if (!made.created) context.say(`Cluster ${args.name} exists already (${made.object.uuid}): unchanged`)
    const object = await shown(context, made.object, options.wait || !made.created)
    if (context.streams.stderr.isTTY) {
      context.progress.stop()
      const next = options.wait
        ? nextStep('use it', 'cluster config', args.name, ...flagArg('merge'))
        : nextStep('wait', 'cluster wait', args.name)
      context.note('', [next])
    }
    return { object }
  },
})
