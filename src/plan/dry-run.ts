/** A plan, shown: its steps, what each would apply or delete, and nothing written anywhere. */
import type { KubeObject, ObjectRef } from '../kube/object.ts'
import { refText } from '../kube/object.ts'
import { withLabels } from '../kube/ownership.ts'
import { planClusters } from './clusters.ts'
import { waves } from './order.ts'
import type { Plan, Step, Tools } from './step.ts'
import { isUnknown, unknownOutputs } from './unknown.ts'

export interface StepView {
  id: string
  title: string
  /** `host "c1"` */
  on: string
  needs: string[]
  /** What it does that is no matter of objects. */
  does: string[]
  objects: KubeObject[]
  deletes: string[]
  gives: string[]
}

export interface PlanView {
  plan: string
  steps: StepView[]
}

export async function viewPlan<O extends object>(plan: Plan<O>, signal: AbortSignal): Promise<PlanView> {
  const asked: string[] = []
  const outputs = unknownOutputs<O>(plan.given, labelsOf(plan), label => asked.push(label))
  const steps: StepView[] = []
  for (const step of plan.steps) {
    asked.length = 0
    steps.push(await viewStep(plan, step, outputs, asked, signal))
  }
  return { plan: plan.title, steps }
}

function labelsOf<O extends object>(plan: Plan<O>): Map<string, string> {
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
  asked: readonly string[],
  signal: AbortSignal,
): Promise<StepView> {
  const key = step.on ?? Object.keys(plan.clusters)[0] ?? ''
  const { wanted, later } = await wantedNow(step, outputs, asked)
  const gone = step.gone ? await step.gone(outputs, await lookingTools(plan, key, outputs, signal)) : []
  return {
    id: step.id,
    title: step.title,
    on: plan.clusters[key]?.title ?? key,
    needs: [...(step.needs ?? [])],
    does: [...(step.says?.(outputs) ?? []), ...later],
    objects: waves(wanted)
      .flat()
      .map(object => plain(hideSecrets(withLabels(object, plan.owner))) as KubeObject),
    deletes: gone.map((ref: ObjectRef) => refText(ref)),
    gives: [...(step.gives ?? [])],
  }
}

/** Some objects cannot even be thought of before a value is known (a certificate to read); then that is said. */
async function wantedNow<O extends object>(
  step: Step<O>,
  outputs: O,
  asked: readonly string[],
): Promise<{ wanted: KubeObject[]; later: string[] }> {
  try {
    return { wanted: (await step.want?.(outputs)) ?? [], later: [] }
  } catch (error) {
    if (asked.length === 0) throw error
    return { wanted: [], later: [`apply objects that depend on ${[...new Set(asked)].join(', ')}`] }
  }
}

/** Looking is allowed in a dry run; a step that writes through these has a bug. */
async function lookingTools<O extends object>(
  plan: Plan<O>,
  key: string,
  outputs: O,
  signal: AbortSignal,
): Promise<Tools> {
  const clusters = planClusters(plan, outputs, signal)
  const { api } = await clusters.get(key)
  const refuse = () => Promise.reject(new Error('a dry run writes nothing'))
  return {
    api,
    look: ref => api.get(ref, { signal }),
    cluster: async other => (await clusters.get(other)).api,
    signal,
    limitMs: 0,
    tell() {},
    unchanged() {},
    apply: refuse,
    remove: refuse,
  }
}

/** Secrets are named, never shown, known or not. */
function hideSecrets(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret') return object
  const hidden = { ...object }
  for (const field of ['data', 'stringData']) {
    if (isUnknown(hidden[field])) hidden[field] = '<secret>'
    else if (hidden[field]) hidden[field] = Object.fromEntries(Object.keys(hidden[field]).map(key => [key, '<secret>']))
  }
  return hidden
}

/** Marks become the text they stand for. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(withoutMarks(value)))

function withoutMarks(value: unknown): unknown {
  if (isUnknown(value)) return String(value)
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]))
  }
  return value
}

/** The plan for people: a line for each thing that would be done. `again`: it was carried out before, and may stand. */
export function planText(view: PlanView, again = false): string {
  const how = again ? 'be gone through again, and what stands be left as it is' : 'be done'
  const lines: string[] = [`to ${view.plan}, ${view.steps.length} steps would ${how}:`]
  for (const [index, step] of view.steps.entries()) {
    const after = step.needs.length ? ` (after ${step.needs.join(', ')})` : ''
    lines.push('', `${index + 1}. ${step.id}: ${step.title}, on ${step.on}${after}`)
    for (const line of step.does) lines.push(`   - ${line}`)
    for (const object of step.objects) lines.push(`   + ${objectText(object)}`)
    for (const deleted of step.deletes) lines.push(`   - delete ${deleted}`)
    if (step.gives.length) lines.push(`   = gives ${step.gives.join(', ')}`)
  }
  lines.push('', 'Nothing was changed. -f yaml shows the objects.')
  return lines.join('\n')
}

const objectText = ({ kind, metadata }: KubeObject): string =>
  metadata.namespace ? `${kind} ${metadata.namespace}/${metadata.name}` : `${kind} ${metadata.name}`
