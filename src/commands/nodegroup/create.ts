import type { Context } from '../../cli/context.ts'
import { offered } from '../../cli/offered.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { givenLabels, labelList, labelOptions } from '../../cli/parse/labels.ts'
import { taintList } from '../../cli/parse/taints.ts'
import { arg, flag, freeName, int, text } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import type { Fields } from '../../model/backend.ts'
import { nodegroupColumns } from './columns.ts'

export const nodegroupCreate = defineCommand({
  words: 'nodegroup create',
  summary: 'Add a node group to a cluster',
  description:
    'Adds nodes of another kind to a cluster. What is not said comes from the cluster. Without --wait it returns as soon as the request was accepted.',
  needs: 'nodegroups',
  args: {
    cluster: arg('name or uuid of the cluster', { complete: 'cluster' }),
    name: freeName('name of the new node group'),
  },
  options: {
    nodeCount: int('node-count', 'n', 'nodes', { fallback: '1', min: 0 }),
    minNodes: int('min-nodes', 'n', 'least nodes it may have', { fallback: '0', min: 0 }),
    maxNodes: int('max-nodes', 'n', 'most nodes it may have', { fallback: 'no limit', min: 0 }),
    role: text('role', 'role', 'role of the nodes', { fallback: 'worker' }),
    flavor: text('flavor', 'flavor', 'flavor of the nodes'),
    image: text('image', 'image', 'name or uuid of the image of the nodes'),
    dockerVolumeSize: int('docker-volume-size', 'GB', 'size of the volume for containers on each node', { min: 1 }),
    ...labelOptions,
    mergeLabels: flag('merge-labels', "add the labels to the cluster's instead of replacing them all"),
    nodeLabels: labelList('node-labels', 'labels of the Kubernetes nodes (servers of 2026.2 and newer); repeatable'),
    nodeTaints: taintList('node-taints', 'taints of the Kubernetes nodes (servers of 2026.2 and newer); repeatable'),
    ifNotExists: flag('if-not-exists', 'take a group of that name as it is, if the cluster has one'),
    ...waitOptions,
  },
  examples: [
    { line: 'coe nodegroup create prod gpu --flavor g1.large --node-count 2 --wait', help: 'and look until it stands' },
    { line: 'coe nodegroup create prod spot --min-nodes 1 --max-nodes 5', help: 'one that may grow and shrink' },
  ],
  output: { kind: 'text', columns: nodegroupColumns },
  exits: { 5: 'the cluster has a group of that name, or is not ready for one' },
  async run(context, { args, options }) {
    const { nodeCount = 1, minNodes = 0, maxNodes = Number.POSITIVE_INFINITY } = options
    if (minNodes > maxNodes) throw usage(`--min-nodes ${minNodes} is more than --max-nodes ${maxNodes}`)
    if (minNodes > nodeCount || nodeCount > maxNodes) {
      throw usage(`--node-count is ${nodeCount}, which is not between --min-nodes and --max-nodes`)
    }
    const fields: Fields = {
      name: args.name,
      node_count: options.nodeCount,
      min_node_count: options.minNodes,
      max_node_count: options.maxNodes,
      role: options.role,
      flavor_id: options.flavor,
      image_id: options.image,
      docker_volume_size: options.dockerVolumeSize,
      labels: givenLabels(options),
      merge_labels: options.mergeLabels || undefined,
      node_labels: options.nodeLabels,
      node_taints: options.nodeTaints,
    }
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const nodegroups = await offered(context, 'nodegroups')
    const accepted = (uuid: string) => context.say(`Request to create nodegroup ${uuid} accepted`)
    const operation = { ...(await context.operation(options)), accepted }
    const duplicate = options.ifNotExists ? 'reuse' : 'refuse'
    const replaces = given.labels !== undefined && !options.mergeLabels
    const [{ object, created }] = await Promise.all([
      nodegroups.create(context.call, args.cluster, given, { duplicate }, operation),
      replaces ? warnOfLostLabels(context, args.cluster, Object.keys(given.labels ?? {})) : undefined,
    ])
    if (!created) context.say(`Node group ${args.name} exists already (${object.uuid}): unchanged`)
    return { object }
  },
})

/** Labels that the cluster has and the group will not: hardly ever meant. One more request, beside the other. */
async function warnOfLostLabels(context: Context, cluster: string, given: string[]): Promise<void> {
  const { clusters } = await context.backend()
  const found = await clusters.get(context.call, cluster).catch(() => undefined)
  const lost = Object.keys(found?.labels ?? {}).filter(key => !given.includes(key))
  if (lost.length === 0) return
  context.warn(
    `the labels given replace those of cluster "${cluster}": the group goes without its ${lost.join(', ')}; --merge-labels keeps them`,
  )
}
