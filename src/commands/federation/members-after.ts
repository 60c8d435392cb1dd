/** Joins the members of a federation that was just created, or plans that in a dry run. */
import type { Context } from '../../cli/context.ts'
import type { Row } from '../../cli/spec.ts'
import type { FederationOutcome, Federations } from '../../model/backend.ts'
import type { Operation } from '../../model/operation.ts'
import { shown } from './columns.ts'
import type { Creation } from './input/creation.ts'
import { printMembers } from './members.ts'
import { hintAtResume, printChange } from './unfinished.ts'

/** Joins and reports each. Resolves with the fields that the joins changed. A failed join does not undo the creation. */
export async function membersAfter(
  context: Context,
  federations: Federations,
  { request, place, members, joinArgs }: Creation,
  outcome: FederationOutcome,
  op: Operation,
): Promise<Row | undefined> {
  if (members.length === 0) return undefined
  const { name, host } = request
  const names = members.map(m => m.name ?? m.cluster)
  if (outcome.result === 'accepted') {
    context.say(`Not joined yet: ${names.join(', ')}`)
    return {}
  }
  // joins cannot be planned before the federation exists
  if (op.dryRun && (outcome.federation.uuid === undefined || outcome.unfinished)) {
    for (const name of names) context.say(`Would then join ${name}`)
    const planned = names.map(name => ({ action: 'join', target: `cluster ${name}` }))
    return { planned: [...(outcome.planned ?? []), ...planned] }
  }
  const there = federations.at?.({ ...place, host }) ?? federations
  const joined = await there.join(context.call, name, members, op, { allowHost: true, resumeArgs: joinArgs })
  printMembers(context, name, joined, { unchanged: 'is already a member of federation', dryRun: op.dryRun })
  const planned = [...(outcome.planned ?? []), ...joined.flatMap(j => j.planned ?? [])]
  if (op.dryRun) return { planned }
  return context.formatted ? shown(await there.get(context.call, name)) : {}
}

/** What else was asked of it before, and was not done: members that a run before this one did not come to. */
export async function othersAfter(
  context: Context,
  federations: Federations,
  { request, place, members }: Creation,
  { result, federation }: FederationOutcome,
  op: Operation,
): Promise<Row | undefined> {
  const { name, host } = request
  if (op.dryRun || result === 'accepted') return undefined
  const own = new Set(members.flatMap(member => [member.cluster, member.name]))
  const others = (federation.unfinished ?? []).filter(({ members = [] }) => members.some(member => !own.has(member)))
  if (others.length === 0) return undefined
  // what deletes something is asked about first
  if (others.some(change => change.deletes)) {
    hintAtResume(context, { name, unfinished: others })
    return undefined
  }
  const there = federations.at?.({ ...place, host }) ?? federations
  const changes = (await there.resume?.(context.call, name, {}, op)) ?? []
  for (const change of changes) printChange(context, name, change, false)
  return context.formatted ? shown(await there.get(context.call, name)) : {}
}
