import { requireNoun } from '../../cli/backend-nouns.ts'
import { flag, freeName } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { templateColumns } from './columns.ts'
import { templateCreateOptions, templateRequest } from './create-options.ts'

export const templateCreate = defineCommand({
  words: 'cluster template create',
  summary: 'Create a cluster template',
  description: 'Creates a template for clusters. Sends only the settings that you give, and the defaults shown.',
  needs: 'templates',
  args: { name: freeName('name of the template') },
  options: {
    ...templateCreateOptions,
    ifNotExists: flag(
      'if-not-exists',
      'use the template of that name if the project has one; when several runs create it at once, all but the first fail (exit 5)',
    ),
    allowDuplicate: flag('allow-duplicate', 'create it even if the project has one of that name'),
  },
  examples: [
    {
      line: 'coe cluster template create k8s --coe kubernetes --image fedora-coreos-38 --external-network public',
      help: 'the required options',
    },
    {
      line: 'coe cluster template create k8s --coe kubernetes --image fedora-coreos-38 --external-network public --label kube_tag=v1.29.3 --network-driver calico --master-lb-enabled',
      help: 'with a certain Kubernetes version, for clusters with several masters',
    },
  ],
  output: { kind: 'show', columns: templateColumns, nullText: '-', announces: true },
  exits: { 5: 'the project has a template of that name, or another run created one at the same time' },
  async run(context, { args, options }) {
    if (options.ifNotExists && options.allowDuplicate) {
      throw usage('--if-not-exists and --allow-duplicate exclude each other')
    }
    const driver = options.storageDriver
    if (driver === 'devicemapper' || driver === 'overlay') {
      context.warn(`the storage driver ${driver} is deprecated, and gone from newer clouds: use overlay2`)
    }
    const duplicate = options.ifNotExists ? 'reuse' : options.allowDuplicate ? 'allow' : 'refuse'
    const templates = await requireNoun(context, 'templates')
    const { object, created } = await templates.create(context.call, templateRequest(args.name, options), { duplicate })
    context.say(
      created
        ? `Request to create cluster template ${args.name} accepted`
        : `Cluster template ${args.name} exists already (${object.uuid}): unchanged`,
    )
    return { object }
  },
})
