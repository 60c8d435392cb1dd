/** What the verbs share: the backend's federations, the option that only plans, and how a plan is told. */

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

/** Asks the federation itself and its host how it is. */
export async function healthOf(
  context: Context,
  ref: string,
  place: PlaceValues,
): Promise<{ federation: Federation; health: FederationHealth }> {
  return requireVerb(await federationsOf(context, place), 'health').health(context.call, ref)
}

/** `PATCH https://… [{"op":"add",…}]`, one line for each step. */
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

/** A plan is a column of its own, there only when there is one. */
export const withPlan = (row: Row, planned: readonly PlannedChange[] | undefined): Row =>
  planned === undefined ? row : { ...row, planned }

export const planColumn = (dryRun: boolean): { extraColumns?: string[] } =>
  dryRun ? { extraColumns: ['planned'] } : {}
