/** A plan over what it made before, shown: each step is looked at as the engine would look, and nothing is written. */
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
    const asked: string[] = []
    const outputs = unknownOutputs<O>(known, labels, label => asked.push(label))
    if (!mayEnter(plan, step, inspections, after)) {
      const view = await viewUnchecked(plan, step, outputs, asked)
      inspections.set(step.id, {
        view: { ...view, state: `known after ${after.join(', ')}` },
        open: true,
        entered: false,
      })
      return 'done'
    }
    const look = await inspectStep({ plan, step, known, outputs, asked, clusters, after, signal })
    if (look.outputs) {
      // also what is known to be undefined
      const unsaid = (step.gives ?? []).map(name => [name, undefined])
      Object.assign(known, Object.fromEntries(unsaid), look.outputs)
    }
    inspections.set(step.id, look)
    return 'done'
  }

  const { failed } = await schedule(plan.steps, work, () => !signal.aborted)
  signal.throwIfAborted()
  const [first] = failed
  // what would end the run itself: an object of somebody else's, fields that others have set
  if (first) throw stepFailure(plan.title, first)
  return { plan: plan.title, steps: plan.steps.flatMap(({ id }) => inspections.get(id)?.view ?? []) }
}

/** The steps before it that must have been carried out before all is known that it works with. */
function openBefore<O extends object>(plan: Plan<O>, step: Step<O>, looks: Inspections): string[] {
  const found = (step.needs ?? []).flatMap(id =>
    looks.get(id)?.open ? [id] : openBefore(plan, plan.steps.find(s => s.id === id) as Step<O>, looks),
  )
  return [...new Set(found)]
}

type Inspections = ReadonlyMap<string, Pick<Inspection<object>, 'open' | 'entered'>>

/** A cluster that the plan itself makes can be entered where it is there: who was in before has seen that. */
function mayEnter<O extends object>(
  plan: Plan<O>,
  step: Step<O>,
  looks: Inspections,
  after: readonly string[],
): boolean {
  const cluster = clusterOf(plan, step)
  if (!plan.clusters[cluster]?.allOurs || after.length === 0) return true
  const inside = allBefore(plan, step).filter(before => clusterOf(plan, before) === cluster)
  return inside.length > 0 && inside.every(({ id }) => looks.get(id)?.entered)
}

function allBefore<O extends object>(plan: Plan<O>, step: Step<O>): Step<O>[] {
  const needed = plan.steps.filter(({ id }) => step.needs?.includes(id))
  return [...new Set(needed.flatMap(need => [need, ...allBefore(plan, need)]))]
}
