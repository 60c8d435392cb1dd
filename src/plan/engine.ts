/** Runs a plan: steps run concurrently as far as their needs allow. A failure says which steps are done and how to continue. */
import { setMaxListeners } from 'node:events'
import type { NextStep } from '../core/next-step.ts'
import type { Clock } from '../core/world.ts'
import type { Call } from '../model/call.ts'
import type { Operation } from '../model/operation.ts'
import { planClusters } from './clusters.ts'
import { type PlanState, planFailure, planStopped } from './failure.ts'
import { schedule } from './schedule.ts'
import type { Plan, PlanResult, Step } from './step.ts'
import { Halted, runStep, type StepEnd } from './step-run.ts'

export interface EngineOptions {
  op: Operation & Omit<Call, 'caller'>
  clock: Clock
  /** The next step to suggest if this run fails or is interrupted. */
  resume: NextStep
  /** Aborts with the operation's own signal, and when the lock is lost. */
  signal?: AbortSignal
  /** Called when a step has written something, or may have. */
  onChange?(): void
  /** Called when the step that `Plan.entry` names is done. */
  onEntry?(): Promise<void>
}

export async function runPlan<O extends object>(plan: Plan<O>, options: EngineOptions): Promise<PlanResult<O>> {
  const { op, clock, resume, onChange = () => {} } = options
  const signal = options.signal ?? op.signal
  const outputs = { ...plan.inputs } as O
  const ends = new Map<string, StepEnd<O>>()
  const unfinished: string[] = []
  const lastStatus = new Map<string, string>()
  const halt = new AbortController()
  // every wait and request of every step adds a listener, and removes it
  setMaxListeners(0, signal, halt.signal)
  const clusters = planClusters(plan, outputs, signal, onChange)
  const deadline = clock.now() + op.waitTimeoutMs

  const work = async (step: Step<O>): Promise<'done' | 'pending'> => {
    op.report.step(step.id, step.title)
    try {
      const end = await runStep(step, {
        plan,
        outputs,
        clusters,
        clock,
        signal,
        waitSignal: AbortSignal.any([signal, halt.signal]),
        limitMs: Math.min(step.timeoutMs ?? Number.POSITIVE_INFINITY, Math.max(1_000, deadline - clock.now())),
        wait: op.wait,
        onChange,
        tell(text, trouble) {
          lastStatus.set(step.id, text)
          op.report.step(step.id, text, trouble)
        },
      })
      Object.assign(outputs, end.outputs)
      ends.set(step.id, end)
      if (step.id === plan.entry && !end.pending) await options.onEntry?.()
      const result = end.pending ? `${end.result}, not ready yet` : end.result
      op.report.done(step.id, result === 'done' ? undefined : result)
      return end.pending ? 'pending' : 'done'
    } catch (error) {
      if (error instanceof Halted) {
        unfinished.push(step.id)
        op.report.fail(step.id, 'stopped waiting')
        throw error
      }
      if (!signal.aborted) op.report.fail(step.id, error instanceof Error ? error.message : String(error))
      halt.abort(new Halted())
      throw error
    }
  }

  const { done, pending, failed, notStarted } = await schedule(plan.steps, work, () => !signal.aborted)
  const state: PlanState = { done, unfinished: [...failed.map(f => f.id), ...pending], notStarted, lastStatus }
  if (signal.aborted) throw planStopped({ ...plan, resume }, signal.reason, state)
  const cause = failed.find(f => !(f.error instanceof Halted))
  if (cause) throw planFailure({ ...plan, resume }, cause, state)
  const started = plan.steps.filter(s => ends.has(s.id))
  const steps = started.map(({ id, title }) => ({ id, title, result: ends.get(id)?.result ?? ('done' as const) }))
  return { outputs, steps, pending, notStarted, changed: [...ends.values()].some(e => e.changed) }
}
