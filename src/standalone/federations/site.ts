/** What a driver gets to know of a federation, and helpers for its findings, places and plans. */
import { CoeError, type Outcome } from '../../core/errors.ts'
import { allAdvice, optionArgs, type StepArg, standaloneStep } from '../../core/next-step.ts'
import type { FederationDriver, FederationSite, Finding } from '../../drivers/driver-api.ts'
import type { FederationPlace } from '../../model/backend.ts'
import type { Report } from '../../model/call.ts'
import { isUnchanged, type PlannedChange, type PlanView, type StepView } from '../../model/planned-change.ts'
import type { Standalone } from '../deps.ts'
import { ownerOf } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { refuseEnding } from './ending.ts'

export const siteOf = ({ record, reference, host }: Located, signal: AbortSignal): FederationSite => ({
  name: record.name,
  uuid: record.uuid,
  namespace: record.namespace,
  host,
  hostTitle: `host "${reference}"`,
  creation: standaloneStep('resume', 'federation create', record.name, ...optionArgs('host', reference)),
  settings: record.settings,
  owner: ownerOf(record.name, record.uuid),
  signal,
})

/** Finds the driver of a federation; refuses one that is being deleted, as its driver's work is done. */
export async function driverOf(deps: Standalone, { record, reference }: Located) {
  refuseEnding(record, reference)
  return deps.drivers.federations(
    record.driver || (await deps.drivers.defaultFederations()),
    record.driver ? record.driverVersion : undefined,
  )
}

/** The kubectl command to try first. */
export const firstCommand = (driver: FederationDriver, record: { name: string; namespace: string }): string =>
  driver.firstCommand?.(record) ?? 'get namespaces'

/** Throws if there are errors; otherwise notes the warnings. */
export function refuseErrors(findings: readonly Finding[], doing: string, note: Report['note']): void {
  const errors = findings.filter(f => f.level === 'error')
  if (errors.length === 0) {
    for (const { message, hint, next } of findings) note(`warning: ${message}${hint ? ` (${hint})` : ''}`, next)
    return
  }
  throw new CoeError(outcomeOf(errors), `cannot ${doing}: ${errors.map(e => e.message).join('; ')}`, {
    ...allAdvice(...errors),
    details: { findings: errors.map(e => ({ ...e })) },
  })
}

function outcomeOf(errors: readonly Finding[]): Outcome {
  const [outcome = 'failed', ...others] = new Set(errors.map(e => e.outcome))
  return others.length ? 'failed' : outcome
}

/** Repeats the stated place in a next step: without it, another federation of that name might be found. */
export const placeArgs = ({ host, namespace }: FederationPlace): StepArg[] => [
  ...optionArgs('host', host),
  ...optionArgs('namespace', namespace),
]

/** The steps of a plan as lines in the form that both modes use. */
export const plannedOf = (view: PlanView): PlannedChange[] =>
  view.steps.flatMap(step => linesOf(step).map(line => ({ ...line, step: step.id })))

function linesOf(step: StepView): Omit<PlannedChange, 'step'>[] {
  const { id, title, on, waits } = step
  if (isUnchanged(step)) {
    const stands = { action: 'unchanged', target: `${id}: ${title}, on ${on}` }
    return [stands, ...(waits === undefined ? [] : [{ action: 'wait', target: `${id}: ${waits}` }])]
  }
  return [
    ...step.does.map(what => ({ action: 'do', target: `${id}: ${what}` })),
    ...step.objects.map(({ name, object, would }) => ({
      action: would,
      target: `${name} on ${on}`,
      body: object,
    })),
    ...step.deletes.map(what => ({ action: 'delete', target: `${what} on ${on}` })),
  ]
}
