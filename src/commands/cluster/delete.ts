import type { Context } from '../../cli/context.ts'
import { ignoreNotFound, unlessMissing } from '../../cli/options/list-options.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { args, flag } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { mapLimit } from '../../core/concurrency.ts'
import { usage } from '../../core/errors.ts'
import type { ClusterDeletion } from '../../model/backend.ts'
import type { Operation } from '../../model/operation.ts'
import { whenUnsure } from './unsure.ts'

const columns: readonly Column[] = [
  { name: 'cluster', type: 'string', help: 'cluster as given on the command line', nullable: false },
  { name: 'uuid', type: 'string', help: 'its identifier, if it was found' },
  { name: 'result', type: 'string', help: 'accepted, deleted (with --wait), missing or failed', nullable: false },
]

interface Deletion {
  cluster: string
  uuid: string | null
  result: 'accepted' | 'deleted' | 'missing' | 'failed'
}

export const clusterDelete = defineCommand({
  words: 'cluster delete',
  summary: 'Delete clusters',
  description:
    'Deletes one or more clusters; if one cannot be deleted, the others still are. Refuses to delete a cluster that is the host or a member of a federation: it asks Magnum, and the cluster itself, for at most five seconds. If that cannot be found out, it asks you at a terminal; elsewhere it warns and deletes, or with --strict (or "guard: strict" in config.yaml) refuses.',
  args: { cluster: args('names or uuids of the clusters', { complete: 'cluster' }) },
  options: {
    force: flag('force', 'delete without checking whether a federation needs the cluster'),
    strict: flag('strict', 'refuse (exit 5) if it cannot be checked whether a federation needs the cluster'),
    ignoreNotFound,
    ...waitOptions,
  },
  examples: [
    { line: 'coe cluster delete test1 test2', help: 'request both deletions, and return' },
    { line: 'coe cluster delete test1 --wait --ignore-not-found', help: 'wait until it is gone; safe to repeat' },
  ],
  output: { kind: 'text', many: true, columns },
  exits: { 5: 'a federation needs it, or with --strict: may need it', 6: 'some were deleted, others not' },
  async run(context, { args, options }) {
    if (options.force && options.strict)
      throw usage('--force deletes without checking; --strict, which refuses without a check, contradicts that')
    const operation = await context.operation(options)
    const unsure = await whenUnsure(context, options)
    const named = [...new Set(args.cluster)]
    const deleted = new Map<string, string>()
    if (!options.force) (await context.backend()).clusters.willDelete?.(context.call, named)
    // in order if each takes one request, in parallel if each takes minutes
    const one = (cluster: string) => deleteOne(context, cluster, { ...options, deleted, unsure }, operation)
    const rows = (await mapLimit(named, options.wait ? 50 : 1, one)).filter(row => row !== undefined)
    return { rows: rows.map(row => ({ ...row })), anyWorked: rows.some(row => row.result !== 'failed') }
  },
})

async function deleteOne(
  context: Context,
  cluster: string,
  options: Required<ClusterDeletion> & { ignoreNotFound: boolean; wait: boolean; deleted: Map<string, string> },
  operation: Operation,
): Promise<Deletion | undefined> {
  const { clusters } = await context.backend()
  const { force, unsure } = options
  let uuid: string | null = null
  let otherName: string | undefined
  const accepted = (found: string) => {
    uuid = found
    options.deleted.set(found, cluster)
    context.say(`Request to delete cluster ${cluster} has been accepted.`)
  }
  try {
    const there = await unlessMissing(options.ignoreNotFound, async () => {
      const { uuid: found } = await clusters.delete(
        context.call,
        cluster,
        { force, unsure },
        { ...operation, accepted },
      )
      // an earlier argument named the same cluster, so one request was sent
      if (uuid === null) otherName = options.deleted.get(found) ?? found
    })
    if (otherName !== undefined) {
      context.note(`"${cluster}" and "${otherName}" are the same cluster: it is deleted once`)
      return undefined
    }
    if (!there) context.note(`there is no cluster "${cluster}": nothing to delete`)
    return { cluster, uuid, result: !there ? 'missing' : options.wait ? 'deleted' : 'accepted' }
  } catch (error) {
    context.report(error)
    return { cluster, uuid, result: 'failed' }
  }
}
