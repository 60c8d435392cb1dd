/** Prints unfinished changes, and the outcome of resuming them. */
import type { Context } from '../../cli/context.ts'
import { federationNote } from '../../cli/print/notes.ts'
import type { Row } from '../../cli/spec.ts'
import { standaloneStep } from '../../core/next-step.ts'
import { someOf } from '../../core/text.ts'
import type { Federation } from '../../model/federation.ts'
import type { ResumedChange } from '../../model/resume.ts'
import { sayAll, sayPlan, withPlan } from './federations.ts'
import { printMembers } from './members.ts'

export function hintAtResume(context: Context, { name, unfinished = [] }: Partial<Federation>): void {
  if (!unfinished.length) return
  const changes = unfinished.map(({ verb, members = [] }) => [verb, someOf(members)].filter(Boolean).join(' '))
  context.note(`not finished: ${changes.join('; ')}`, [standaloneStep('resume', 'federation resume', name ?? '')])
}

const unchanged = { join: 'is already a member of federation', unjoin: 'is not a member of federation' }

export function printChange(context: Context, name: string, change: ResumedChange, dryRun: boolean): Row[] {
  if ('outcomes' in change) {
    const { rows = [] } = printMembers(context, name, change.outcomes, { unchanged: unchanged[change.verb], dryRun })
    return rows.map(({ cluster, ...rest }) => ({ change: change.verb, name: cluster, ...rest }))
  }
  const { result, planned, notes = [] } = change.outcome
  const texts = notes.map(federationNote)
  if (result === 'deleted') context.say(`Federation ${name} is deleted.`)
  if (result === 'planned') sayPlan(context, planned ?? [], change.outcome.notes && texts)
  else sayAll(context, texts)
  return [withPlan({ change: change.verb, name, result, reason: null }, dryRun ? (planned ?? []) : undefined)]
}
