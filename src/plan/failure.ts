/** How a plan that did not get to its end says so: where it stopped, what stands, and the line that goes on. */
import { CoeError, type Outcome } from '../core/errors.ts'

export interface PlanState {
  done: readonly string[]
  unfinished: readonly string[]
  notStarted: readonly string[]
}

interface Told {
  title: string
  again: string
  steps: readonly { id: string; hint?: string }[]
}

const detailsOf = (state: PlanState) => ({
  steps: { done: state.done, unfinished: state.unfinished, not_started: state.notStarted },
})

/** What stands, in a clause: `done so far: tls, etcd`. */
const standing = ({ done }: PlanState): string =>
  done.length ? `done so far: ${done.join(', ')}` : 'no step was finished'

export function planFailure(plan: Told, failure: { id: string; error: unknown }, state: PlanState): Error {
  const { error, id } = failure
  // a bug stays one: it is told with its stack, and not as something that the user could mend
  if (!(error instanceof CoeError)) return error instanceof Error ? error : new Error(String(error))
  const goOn = `what is there stays (${standing(state)}); go on with: ${plan.again}`
  const stepHint = error.outcome === 'timeout' ? plan.steps.find(s => s.id === id)?.hint : undefined
  const hint = error.hint ?? stepHint
  return new CoeError(error.outcome, `cannot ${plan.title}: ${id}: ${error.message}`, {
    hint: hint ? `${hint}\n${goOn}` : goOn,
    cause: error,
    details: { ...error.details, step: id, ...detailsOf(state) },
  })
}

/** Ctrl-C, a TERM, or a lost lock. */
export function planStopped(plan: Told, reason: unknown, state: PlanState): Error {
  const outcome: Outcome = reason instanceof CoeError ? reason.outcome : 'interrupted'
  const own = outcome === 'interrupted' || outcome === 'terminated'
  const why = own ? 'stopped' : reason instanceof Error ? reason.message : String(reason)
  const open = [...state.unfinished, ...state.notStarted]
  return new CoeError(
    outcome,
    own
      ? `stopped on the way to ${plan.title}: ${standing(state)}; not finished: ${open.join(', ') || 'nothing'}`
      : `cannot ${plan.title}: ${why}`,
    {
      hint: `what is there stays; go on with: ${plan.again}`,
      cause: reason,
      details: { ...(reason instanceof CoeError ? reason.details : {}), ...detailsOf(state) },
    },
  )
}
