import { listOrWatch, type Subject, watchOptions } from '../../cli/options/watch-options.ts'
import { arg, flag } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { failed } from '../../core/errors.ts'
import { standaloneStep } from '../../core/next-step.ts'
import type { MemberHealth } from '../../model/federation-health.ts'
import { healthOf } from './federations.ts'
import { placeOptions } from './input/place.ts'

const nodesText = (nodes: MemberHealth['nodes']): string | null => nodes && `${nodes.ready}/${nodes.total}`

const columns: readonly Column[] = [
  { name: 'name', type: 'string', help: 'name in the federation', nullable: false },
  { name: 'ready', type: 'boolean', help: 'whether the federation can use it; null if unknown' },
  { name: 'version', type: 'string', help: 'version of Kubernetes' },
  {
    name: 'nodes',
    type: 'object',
    help: 'Ready nodes of all nodes; in JSON two numbers, ready and total',
    text: value => nodesText(value as MemberHealth['nodes']),
  },
  { name: 'reason', type: 'string', help: 'why it is not ready', prose: true },
  { name: 'server', type: 'string', help: 'its address as the federation reaches it', long: true },
  { name: 'region', type: 'string', help: 'region of the cluster', long: true },
  { name: 'zones', type: 'array', help: 'zones of the cluster', nullable: false, long: true },
  { name: 'provider', type: 'string', help: 'provider of the cluster', long: true },
  { name: 'labels', type: 'object', help: 'labels in the federation', nullable: false, long: true },
  {
    name: 'cluster_uid',
    type: 'string',
    help: 'identity of the cluster: the UID of its kube-system namespace',
    long: true,
  },
  { name: 'joined_at', type: 'string', help: 'when it joined', long: true },
]

const output = { kind: 'list', columns } as const

const subject: Subject = {
  id: row => String(row.name),
  name: row => String(row.name),
  state: ({ ready, version, nodes, reason }) => {
    const word = ready === null ? 'unknown' : ready ? 'ready' : 'not ready'
    return [word, version, nodes && `${nodesText(nodes as MemberHealth['nodes'])} nodes`, reason]
      .filter(Boolean)
      .join(', ')
  },
}

export const federationMembers = defineCommand({
  words: 'federation members',
  summary: 'List the members of a federation',
  description:
    'Lists the members of a federation as its API reports them now. If the API does not answer, it lists the members on record and exits 1.',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: {
    notReady: flag('not-ready', 'list only members that the federation cannot use'),
    long: flag('long', 'more columns'),
    ...watchOptions,
    ...placeOptions,
  },
  examples: [
    { line: 'coe federation members myfed', help: 'all members, with readiness, versions and nodes' },
    { line: 'coe federation members myfed --not-ready -f csv', help: 'members that are not ready, for a script' },
    { line: 'coe federation members myfed --watch', help: 'update the list until Ctrl-C' },
  ],
  output,
  needs: 'federations.health',
  exits: { 1: 'the API of the federation does not answer', 3: 'there is no such federation' },
  async run(context, { args, options }) {
    const load = async (report: (error: unknown) => void) => {
      const { health } = await healthOf(context, args.federation, options)
      const members = (health.members ?? []).filter(m => !options.notReady || m.ready !== true)
      const rows = members.map(({ reason, message, ready, ...rest }) => ({
        ...rest,
        ready,
        reason: ready ? null : [reason, message].filter(Boolean).join(': ') || null,
      }))
      if (!health.api.reachable) {
        const why = `the API of federation "${args.federation}" does not answer, so the state of its members is unknown: ${health.api.reason}`
        const next = [standaloneStep('see what is wrong', 'federation status', args.federation)]
        report(failed(why, { hint: 'these are the members on record', next }))
      }
      return { rows, long: options.long }
    }
    return listOrWatch(context, options, { output, subject, list: load })
  },
})
