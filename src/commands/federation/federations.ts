/** What the verbs share: the backend's federations, the option that only plans, and how a plan is told. */
import type { Context } from '../../cli/context.ts'
import type { Row } from '../../cli/spec.ts'
import { flag } from '../../cli/values.ts'
import { usage } from '../../core/errors.ts'
import type { Federations } from '../../model/backend.ts'
import type { Planned } from '../../model/planned.ts'

export const dryRunOption = flag('dry-run', 'say what would be done, and do nothing')

export async function federationsOf(context: Context): Promise<Federations> {
  const { federations, mode } = await context.backend()
  if (federations) return federations
  throw usage(`${mode} mode has no federations in this version`)
}

/** `PATCH https://… [{"op":"add",…}]`, one line for each step. */
export function sayPlan(context: Context, planned: readonly Planned[]): void {
  for (const { action, target, body } of planned) {
    context.say(`Would ${action} ${target}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`)
  }
}

/** A plan is a column of its own, there only when there is one. */
export const withPlan = (row: Row, planned: readonly Planned[] | undefined): Row =>
  planned === undefined ? row : { ...row, planned }

export const planColumn = (dryRun: boolean): { extraColumns?: string[] } =>
  dryRun ? { extraColumns: ['planned'] } : {}
