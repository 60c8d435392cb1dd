/** How a plan that did not get to its end says so: where it stopped, what stands, and the step that goes on. */
import { CoeError, type ErrorDetails, isStop, type Outcome } from '../core/errors.ts'
import { type Advice, allAdvice, firstAdvice, type NextStep } from '../core/next-step.ts'

export interface PlanState {
  done: readonly string[]
  unfinished: readonly string[]
  notStarted: readonly string[]
  /** What was told last of those that were begun. */
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

/** What stands, in a clause: `done so far: tls, etcd`. */
const progressText = ({ done }: PlanState): string =>
  done.length ? `done so far: ${done.join(', ')}` : 'no step was finished'

export function planFailure(plan: Running, failure: Failed, state: PlanState): Error {
  const { error, id } = failure
  const ofStep = outcomeOf(error) === 'timeout' ? plan.steps.find(s => s.id === id) : undefined
  const stays = { hint: `what is there stays (${progressText(state)})`, next: [plan.resume] }
  const adviceFor = (own: Advice) => allAdvice(firstAdvice(own, ofStep), stays)
  return stepFailure(plan.title, failure, adviceFor, detailsOf(state))
}

interface Failed {
  id: string
  error: unknown
}

const outcomeOf = (error: unknown): Outcome | undefined => (error instanceof CoeError ? error.outcome : undefined)

/** The error of a step, with its place in the plan. A bug stays one: it is told with its stack, and not as what a user could mend. */
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

/** Of what a progress cut to one line of a terminal, or did not show at all. */
const lastStatusLines = ({ unfinished, lastStatus }: PlanState): string[] =>
  unfinished.flatMap(id => (lastStatus?.has(id) ? [`last status of ${id}: ${lastStatus.get(id)}`] : []))

/** A signal, or a lost lock. */
export function planStopped(plan: Running, reason: unknown, state: PlanState): Error {
  const outcome: Outcome = reason instanceof CoeError ? reason.outcome : 'interrupted'
  const own = isStop(reason) || outcome === 'interrupted'
  const why = own ? 'stopped' : reason instanceof Error ? reason.message : String(reason)
  const open = [...state.unfinished, ...state.notStarted]
  return new CoeError(
    outcome,
    own
      ? `stopped on the way to ${plan.title}: ${progressText(state)}; not finished: ${open.join(', ') || 'nothing'}`
      : `cannot ${plan.title}: ${why}`,
    {
      hint: [...lastStatusLines(state), 'what is there stays'].join('\n'),
      next: [plan.resume],
      cause: reason,
      details: { ...(reason instanceof CoeError ? reason.details : {}), ...detailsOf(state) },
    },
  )
}
