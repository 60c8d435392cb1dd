/** Shared by the commands on federations: the backend's federations, --dry-run, and how a plan is printed. */

import { requireNoun, requireVerb } from '../../cli/backend-nouns.ts'
import type { Context } from '../../cli/context.ts'
import { flag } from '../../cli/parse/values.ts'
import type { WordedNote } from '../../cli/print/notes.ts'
import type { Row } from '../../cli/spec.ts'
import type { Federations } from '../../model/backend.ts'
import type { Federation } from '../../model/federation.ts'
import type { FederationHealth } from '../../model/federation-health.ts'
import type { PlannedChange } from '../../model/planned-change.ts'
import { type PlaceValues, placeOf } from './input/place.ts'

export const dryRunOption = flag('dry-run', 'show what would be done, without doing it')

export async function federationsOf(context: Context, options: PlaceValues = {}): Promise<Federations> {
  const federations = await requireNoun(context, 'federations')
  return federations.at?.(placeOf(options)) ?? federations
}

/** The health of a federation, from its API and its host. */
export async function healthOf(
  context: Context,
  ref: string,
  place: PlaceValues,
): Promise<{ federation: Federation; health: FederationHealth }> {
  return requireVerb(await federationsOf(context, place), 'health').health(context.call, ref)
}

/** Prints a line for each step, such as `Would PATCH https://… [{"op":"add",…}]`, or the notes instead. */
export function sayPlan(
  context: Context,
  planned: readonly PlannedChange[],
  notes: readonly WordedNote[] | undefined,
): void {
  const lines = planned.map(
    ({ action, target, body }) => `Would ${action} ${target}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`,
  )
  sayAll(context, notes ?? lines.map(text => ({ text })))
}

export const sayAll = (context: Context, notes: readonly WordedNote[]): void => {
  for (const { text, next } of notes) context.say(text, next)
}

/** Adds the plan of a dry run as a column. */
export const withPlan = (row: Row, planned: readonly PlannedChange[] | undefined): Row =>
  planned === undefined ? row : { ...row, planned }

export const planColumn = (dryRun: boolean): { extraColumns?: string[] } =>
  dryRun ? { extraColumns: ['planned'] } : {}
