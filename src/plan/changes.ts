/** Shows what a plan would change on the existing clusters: inspects each step as the engine would, and writes nothing. */
import { setMaxListeners } from 'node:events'
import type { PlanView } from '../model/planned-change.ts'
import { planClusters } from './clusters.ts'
import { clusterOf, labelsOf, viewUnchecked } from './dry-run.ts'
import { stepFailure } from './failure.ts'
import { type Inspection, inspectStep } from './inspect-step.ts'
import { schedule } from './schedule.ts'
import type { Plan, Step } from './step.ts'
import { unknownOutputs } from './unknown.ts'

export async function viewChanges<O extends object>(plan: Plan<O>, signal: AbortSignal): Promise<PlanView> {
  setMaxListeners(0, signal)
  const known = { ...plan.inputs } as O
  const clusters = planClusters(plan, known, signal)
  const labels = labelsOf(plan)
  const inspections = new Map<string, Inspection<O>>()

  const work = async (step: Step<O>): Promise<'done'> => {
    const after = openBefore(plan, step, inspections)
    const unknownsRead: string[] = []
    const outputs = unknownOutputs<O>(known, labels, label => unknownsRead.push(label))
    if (!canReach(plan, step, inspections, after)) {
      const view = await viewUnchecked(plan, step, outputs, unknownsRead)
      inspections.set(step.id, {
        view: { ...view, state: `known after ${after.join(', ')}` },
        open: true,
        reached: false,
      })
      return 'done'
    }
    const inspection = await inspectStep({ plan, step, known, outputs, unknownsRead, clusters, after, signal })
    if (inspection.outputs) {
      // outputs that the step left out are known to be undefined
      const missing = (step.gives ?? []).map(name => [name, undefined])
      Object.assign(known, Object.fromEntries(missing), inspection.outputs)
    }
    inspections.set(step.id, inspection)
    return 'done'
  }

  const { failed } = await schedule(plan.steps, work, () => !signal.aborted)
  signal.throwIfAborted()
  const [first] = failed
  // an error that would also stop the real run: an object of another owner, or fields set by other clients
  if (first) throw stepFailure(plan.title, first)
  return { plan: plan.title, steps: plan.steps.flatMap(({ id }) => inspections.get(id)?.view ?? []) }
}

/** The earlier steps that must run before everything that this step needs is known. */
function openBefore<O extends object>(plan: Plan<O>, step: Step<O>, inspections: Inspections): string[] {
  const found = (step.needs ?? []).flatMap(id =>
    inspections.get(id)?.open ? [id] : openBefore(plan, plan.steps.find(s => s.id === id) as Step<O>, inspections),
  )
  return [...new Set(found)]
}

type Inspections = ReadonlyMap<string, Pick<Inspection<object>, 'open' | 'reached'>>

/** May requests be sent to the step's cluster? One that the plan itself makes may be, if all earlier steps in it reached it. */
function canReach<O extends object>(
  plan: Plan<O>,
  step: Step<O>,
  inspections: Inspections,
  after: readonly string[],
): boolean {
  const cluster = clusterOf(plan, step)
  if (!plan.clusters[cluster]?.allOurs || after.length === 0) return true
  const inside = allBefore(plan, step).filter(before => clusterOf(plan, before) === cluster)
  return inside.length > 0 && inside.every(({ id }) => inspections.get(id)?.reached)
}

function allBefore<O extends object>(plan: Plan<O>, step: Step<O>): Step<O>[] {
  const needed = plan.steps.filter(({ id }) => step.needs?.includes(id))
  return [...new Set(needed.flatMap(need => [need, ...allBefore(plan, need)]))]
}
