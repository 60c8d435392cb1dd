import { listOrWatch, type Subject, watchOptions } from '../../cli/options/watch-options.ts'
import { arg, flag } from '../../cli/parse/values.ts'
import { inOneLine, type LineOf } from '../../cli/print/next-step.ts'
import { type Column, defineCommand, type Row } from '../../cli/spec.ts'
import type { FederationHealth } from '../../model/federation-health.ts'
import { hasFailed, isComplete } from '../../model/status.ts'
import { certificateRows } from './certificate-rows.ts'
import { healthOf } from './federations.ts'
import { placeOptions } from './input/place.ts'

const columns: readonly Column[] = [
  {
    name: 'part',
    type: 'string',
    help: 'federation, api, component, object (what is missing on the host), member or certificate',
    nullable: false,
  },
  { name: 'name', type: 'string', help: 'name of the part', nullable: false },
  { name: 'healthy', type: 'boolean', help: 'whether it is healthy; null if unknown' },
  { name: 'detail', type: 'string', help: 'why it is not healthy, or other details', prose: true },
  { name: 'version', type: 'string', help: 'Kubernetes version of an API or a member', dataOnly: true },
  { name: 'replicas', type: 'object', help: 'of a component: ready and desired replicas', dataOnly: true },
  { name: 'nodes', type: 'object', help: 'of a member: ready nodes, and nodes in total', dataOnly: true },
  { name: 'expires_at', type: 'string', help: 'of certificates: when the first expires', dataOnly: true },
  { name: 'days_left', type: 'integer', help: 'of certificates: days until the first expires', dataOnly: true },
]

const output = { kind: 'list', columns } as const

const subject: Subject = {
  // the number of certificates in this row may change
  id: ({ part, name, certificates }) => `${part} ${certificates === undefined ? name : 'others'}`,
  name: ({ part, name }) => `${part} ${name}`,
  state: ({ healthy, detail }) => {
    const word = healthy === null ? 'unknown' : healthy ? 'healthy' : 'not healthy'
    return [word, detail].filter(Boolean).join(', ')
  },
}

export const federationStatus = defineCommand({
  words: 'federation status',
  summary: 'Check the health of a federation',
  description:
    'Checks all parts of a federation: its record, its API, the components on its host, its members as its API reports them, and its certificates. Exits 1 if something is unhealthy, for scripts and monitors. If the API does not answer, checks what the host knows.',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: {
    long: flag('long', 'show a row for each certificate, not one for all valid ones'),
    ...watchOptions,
    ...placeOptions,
  },
  examples: [
    { line: 'coe federation status myfed', help: 'each part, with the reason if it is unhealthy' },
    { line: 'coe federation status myfed -q -f value -c detail || mail ops', help: 'for a monitor' },
    { line: 'coe federation status myfed --watch', help: 'update the status until Ctrl-C' },
  ],
  output,
  needs: 'federations.health',
  exits: { 1: 'something is unhealthy', 3: 'there is no such federation' },
  async run(context, { args, options }) {
    const load = async () => {
      const { federation, health } = await healthOf(context, args.federation, options)
      const { name, status, status_reason: reason } = federation
      // an unfinished federation is not healthy, even if its parts are
      const fine = !hasFailed(status) && status !== 'CREATE_IN_PROGRESS'
      const own = { part: 'federation', name: name ?? args.federation, healthy: fine }
      const rows = [
        { ...own, detail: [status, ...(isComplete(status) ? [] : [reason])].filter(Boolean).join(': ') },
        ...parts(health, options.long || context.wide, context.line),
      ]
      return { rows, exit: rows.every(row => row.healthy === true) ? 0 : 1 }
    }
    return listOrWatch(context, options, { output, subject, list: load })
  },
})

function parts(
  { api, components, objects = [], members = [], certificates }: FederationHealth,
  long: boolean,
  line: LineOf,
): Row[] {
  return [
    {
      part: 'api',
      name: api.server ?? 'none',
      healthy: api.reachable,
      detail: api.reason ?? api.version ?? null,
      version: api.version,
    },
    ...components.map(({ name, ready, replicas, reason }) => ({
      part: 'component',
      name,
      healthy: ready,
      detail: reason ?? `${replicas.ready} of ${replicas.wanted} ready`,
      replicas,
    })),
    ...objects.map(({ name, healthy, reason, ...rest }) => ({
      part: 'object',
      name,
      healthy,
      detail: [reason, inOneLine(rest, line)].filter(Boolean).join('; '),
    })),
    ...members.map(({ name, ready, reason, message, version, nodes, ...rest }) => ({
      part: 'member',
      name,
      healthy: ready,
      detail: ready ? version : [reason, message, inOneLine(rest, line)].filter(Boolean).join(': ') || null,
      version,
      nodes,
    })),
    ...certificateRows(certificates, long),
  ]
}
