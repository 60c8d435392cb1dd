/** The clusters that are to be members of a federation that was just made, or is about to be. */
import type { Context } from '../../cli/context.ts'
import type { Row } from '../../cli/spec.ts'
import type { FederationOutcome, Federations } from '../../model/backend.ts'
import type { Operation } from '../../model/operation.ts'
import { shown } from './columns.ts'
import type { Creation } from './input/creation.ts'
import { tell } from './members.ts'

/** Joins them, and tells of each; resolves with what the row is to say now. One that cannot join leaves the federation standing. */
export async function membersAfter(
  context: Context,
  federations: Federations,
  { request, place, members, joinArgs }: Creation,
  outcome: FederationOutcome,
  op: Operation,
): Promise<Row> {
  const { name, host } = request
  const names = members.map(m => m.name ?? m.cluster)
  if (outcome.result === 'accepted') {
    context.say(`Not joined yet: ${names.join(', ')}`)
    return {}
  }
  // as long as it does not stand, there is nothing that could be asked how a join would go
  if (op.dryRun && (outcome.federation.uuid === undefined || outcome.unfinished)) {
    for (const name of names) context.say(`Would join ${name} then`)
    const planned = names.map(name => ({ action: 'join', target: `cluster ${name}` }))
    return { planned: [...(outcome.planned ?? []), ...planned] }
  }
  const there = federations.at?.({ ...place, host }) ?? federations
  const joined = await there.join(context.call, name, members, op, { allowHost: true, resumeArgs: joinArgs })
  tell(context, name, joined, { unchanged: 'is a member of federation', dryRun: op.dryRun })
  const planned = [...(outcome.planned ?? []), ...joined.flatMap(j => j.planned ?? [])]
  if (op.dryRun) return { planned }
  return context.formatted ? shown(await there.get(context.call, name)) : {}
}
