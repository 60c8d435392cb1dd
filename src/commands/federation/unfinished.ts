/** Changes that were begun and not ended: what is said of them, and of their end. */
import type { Context } from '../../cli/context.ts'
import { federationNote } from '../../cli/print/notes.ts'
import type { Row } from '../../cli/spec.ts'
import { standaloneStep } from '../../core/next-step.ts'
import { someOf } from '../../core/text.ts'
import type { Federation } from '../../model/federation.ts'
import type { ResumedChange } from '../../model/resume.ts'
import { sayAll, sayPlan, withPlan } from './federations.ts'
import { tell } from './members.ts'

export function hintAtResume(context: Context, { name, unfinished = [] }: Partial<Federation>): void {
  if (!unfinished.length) return
  const changes = unfinished.map(({ verb, members = [] }) => [verb, someOf(members)].filter(Boolean).join(' '))
  context.note(`not finished: ${changes.join('; ')}`, [standaloneStep('resume', 'federation resume', name ?? '')])
}

const unchanged = { join: 'is a member of federation', unjoin: 'is no member of federation' }

export function tellChange(context: Context, name: string, change: ResumedChange, dryRun: boolean): Row[] {
  if ('outcomes' in change) {
    const { rows = [] } = tell(context, name, change.outcomes, { unchanged: unchanged[change.verb], dryRun })
    return rows.map(({ cluster, ...rest }) => ({ change: change.verb, name: cluster, ...rest }))
  }
  const { result, planned, notes = [] } = change.outcome
  const spoken = notes.map(federationNote)
  if (result === 'deleted') context.say(`Federation ${name} is deleted.`)
  if (result === 'planned') sayPlan(context, planned ?? [], change.outcome.notes && spoken)
  else sayAll(context, spoken)
  return [withPlan({ change: change.verb, name, result, reason: null }, dryRun ? (planned ?? []) : undefined)]
}
