/** Prints the outcomes of join and unjoin: a line and a row for each cluster. */
import type { Context } from '../../cli/context.ts'
import { memberNote } from '../../cli/print/notes.ts'
import type { Result } from '../../cli/spec.ts'
import type { MemberOutcome } from '../../model/backend.ts'
import { planColumn, sayAll, sayPlan, withPlan } from './federations.ts'

const lines: Partial<Record<MemberOutcome['result'], (cluster: string, federation: string) => string>> = {
  joined: (c, f) => `Cluster ${c} joined federation ${f}`,
  unjoined: (c, f) => `Cluster ${c} left federation ${f}`,
}

export function printMembers(
  context: Context,
  federation: string,
  outcomes: readonly MemberOutcome[],
  texts: { unchanged: string; dryRun: boolean },
): Result {
  for (const { cluster, result, error, planned, notes } of outcomes) {
    if (result === 'failed') context.report(error)
    else if (result === 'planned') sayPlan(context, planned ?? [], notes?.map(memberNote))
    else
      context.say(
        lines[result]?.(cluster, federation) ?? `Cluster ${cluster} ${texts.unchanged} ${federation}: nothing to do`,
      )
    if (result !== 'planned') sayAll(context, (notes ?? []).map(memberNote))
  }
  return {
    rows: outcomes.map(({ cluster, result, error, planned }) =>
      withPlan({ cluster, result, reason: error?.message ?? null }, texts.dryRun ? (planned ?? []) : undefined),
    ),
    anyWorked: outcomes.some(o => o.result !== 'failed'),
    ...planColumn(texts.dryRun),
  }
}
