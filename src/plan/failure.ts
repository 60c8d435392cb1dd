/** The errors of plans that did not finish: where they stopped, which steps are done, and the next step. */
import { CoeError, type ErrorDetails, isStop, type Outcome } from '../core/errors.ts'
import { type Advice, allAdvice, firstAdvice, type NextStep } from '../core/next-step.ts'

export interface PlanState {
  done: readonly string[]
  unfinished: readonly string[]
  notStarted: readonly string[]
  /** The last reported status of each step that was started. */
  lastStatus?: ReadonlyMap<string, string>
}

interface Running {
  title: string
  resume: NextStep
  steps: readonly ({ id: string } & Advice)[]
}

const detailsOf = (state: PlanState) => ({
  steps: { done: state.done, unfinished: state.unfinished, not_started: state.notStarted },
})

/** `2 of 15 steps done: tls, etcd`. */
const progressText = ({ done }: PlanState, { steps }: Running): string =>
  `${done.length} of ${steps.length} steps done${done.length ? `: ${done.join(', ')}` : ''}`

export function planFailure(plan: Running, failure: Failed, state: PlanState): Error {
  const { error, id } = failure
  const ofStep = outcomeOf(error) === 'timeout' ? plan.steps.find(s => s.id === id) : undefined
  const ofPlan = { hint: `nothing was rolled back (${progressText(state, plan)})`, next: [plan.resume] }
  const adviceFor = (own: Advice) => allAdvice(firstAdvice(own, ofStep), ofPlan)
  return stepFailure(plan.title, failure, adviceFor, detailsOf(state))
}

interface Failed {
  id: string
  error: unknown
}

const outcomeOf = (error: unknown): Outcome | undefined => (error instanceof CoeError ? error.outcome : undefined)

/** Adds the plan and the step to an error. Bugs are returned as they are, so that they are reported with their stack. */
export function stepFailure(
  title: string,
  { id, error }: Failed,
  adviceFor: (own: Advice) => Advice = own => own,
  more: ErrorDetails = {},
): Error {
  if (!(error instanceof CoeError)) return error instanceof Error ? error : new Error(String(error))
  return new CoeError(error.outcome, `cannot ${title}: ${id}: ${error.message}`, {
    ...adviceFor({ hint: error.hint, next: error.next }),
    cause: error,
    details: { ...error.details, step: id, ...more },
  })
}

/** The full status of unfinished steps, which the progress display may have cut to one line or not shown. */
const lastStatusLines = ({ unfinished, lastStatus }: PlanState): string[] =>
  unfinished.flatMap(id => (lastStatus?.has(id) ? [`last status of ${id}: ${lastStatus.get(id)}`] : []))

/** The error of a run that was stopped by a signal or lost its lock. */
export function planStopped(plan: Running, reason: unknown, state: PlanState): Error {
  const outcome: Outcome = reason instanceof CoeError ? reason.outcome : 'interrupted'
  const own = isStop(reason) || outcome === 'interrupted'
  const why = own ? 'stopped' : reason instanceof Error ? reason.message : String(reason)
  const { unfinished } = state
  return new CoeError(
    outcome,
    own
      ? `interrupted before it could ${plan.title}: ${progressText(state, plan)}${unfinished.length ? `; not finished: ${unfinished.join(', ')}` : ''}`
      : `cannot ${plan.title}: ${why}`,
    {
      hint: [...lastStatusLines(state), 'nothing was rolled back'].join('\n'),
      next: [plan.resume],
      cause: reason,
      details: { ...(reason instanceof CoeError ? reason.details : {}), ...detailsOf(state) },
    },
  )
}
