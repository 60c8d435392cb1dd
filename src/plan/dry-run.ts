/** Shows a plan that has not run before: its steps, and what each would apply or delete, without comparing it with clusters. */
import { type KubeObject, refOf, refText } from '../kube/api/object.ts'
import { type Owner, withLabels } from '../kube/ownership/ownership.ts'
import type { PlannedObject, PlanView, StepView } from '../model/planned-change.ts'
import { planClusters } from './clusters.ts'
import { waves } from './order.ts'
import { readOnlyTools } from './read-only-tools.ts'
import type { Plan, Step } from './step.ts'
import { asOutputs, isUnknown, unknownOutputs } from './unknown.ts'

export async function viewPlan<O extends object>(plan: Plan<O>, signal: AbortSignal): Promise<PlanView> {
  const unknownsRead: string[] = []
  const outputs = unknownOutputs<O>(plan.inputs, labelsOf(plan), label => unknownsRead.push(label))
  const steps: StepView[] = []
  for (const step of plan.steps) {
    unknownsRead.length = 0
    steps.push(await viewStep(plan, step, outputs, unknownsRead, signal))
  }
  return { plan: plan.title, steps }
}

export function labelsOf<O extends object>(plan: Plan<O>): Map<string, string> {
  const labels = new Map<string, string>()
  for (const step of plan.steps) {
    const secrets: readonly string[] = step.secrets ?? []
    for (const name of [...(step.gives ?? []), ...(step.secrets ?? [])]) {
      labels.set(name, secrets.includes(name) ? `<secret ${name} of ${step.id}>` : `<known after ${step.id}>`)
    }
  }
  return labels
}

async function viewStep<O extends object>(
  plan: Plan<O>,
  step: Step<O>,
  outputs: O,
  unknownsRead: readonly string[],
  signal: AbortSignal,
): Promise<StepView> {
  const view = await viewUnchecked(plan, step, outputs, unknownsRead)
  if (!step.unwanted) return view
  const clusters = planClusters(plan, outputs, signal)
  const { api } = await clusters.get(step.on)
  const deleted = await step.unwanted(asOutputs(outputs), readOnlyTools(clusters, api, signal))
  return { ...view, deletes: deleted.map(refText) }
}

/** Shows a step without asking a cluster. */
export async function viewUnchecked<O extends object>(
  plan: Plan<O>,
  step: Step<O>,
  outputs: O,
  unknownsRead: readonly string[],
): Promise<StepView> {
  const { wanted, later } = await wantedNow(step, outputs, unknownsRead)
  return {
    ...factsOf(plan, step),
    does: [...(step.describe?.(asOutputs(outputs)) ?? []), ...later],
    objects: inOrder(wanted).map(object => plannedObject(forDisplay(object, plan.owner), 'apply')),
    deletes: [],
  }
}

export const plannedObject = (object: KubeObject, would: PlannedObject['would']): PlannedObject => ({
  name: refText(refOf(object)),
  object,
  would,
})

export const clusterOf = <O extends object>(plan: Plan<O>, step: Step<O>): string =>
  step.on ?? Object.keys(plan.clusters)[0] ?? ''

export const factsOf = <O extends object>(plan: Plan<O>, step: Step<O>) => ({
  id: step.id,
  title: step.title,
  on: plan.clusters[clusterOf(plan, step)]?.title ?? clusterOf(plan, step),
  needs: [...(step.needs ?? [])],
  gives: [...(step.gives ?? [])],
})

export const inOrder = (objects: readonly KubeObject[]): KubeObject[] => waves(objects).flat()

/** The object as it would be sent, with its secrets hidden. */
export const forDisplay = (object: KubeObject, owner: Owner): KubeObject =>
  plain(hideSecrets(withLabels(object, owner))) as KubeObject

/** If `want` fails because it needs a value that is not known yet (a certificate to read), says so in `later`. */
export async function wantedNow<O extends object>(
  step: Step<O>,
  outputs: O,
  unknownsRead: readonly string[],
): Promise<{ wanted: KubeObject[]; later: string[] }> {
  try {
    return { wanted: (await step.want?.(asOutputs(outputs))) ?? [], later: [] }
  } catch (error) {
    if (unknownsRead.length === 0) throw error
    return { wanted: [], later: [`apply objects that depend on ${[...new Set(unknownsRead)].join(', ')}`] }
  }
}

/** Keeps the keys of a Secret, but hides its values. */
function hideSecrets(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret') return object
  const hidden = { ...object }
  for (const field of ['data', 'stringData']) {
    if (isUnknown(hidden[field])) hidden[field] = '<secret>'
    else if (hidden[field]) hidden[field] = Object.fromEntries(Object.keys(hidden[field]).map(key => [key, '<secret>']))
  }
  return hidden
}

/** Replaces unknown values by their text. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(withoutMarks(value)))

function withoutMarks(value: unknown): unknown {
  if (isUnknown(value)) return String(value)
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]))
  }
  return value
}
