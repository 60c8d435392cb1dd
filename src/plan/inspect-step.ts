/** Inspects one step for a dry run: what it would create and change, and, if it is already done, its outputs. */
import type { Compared } from '../kube/api/compare.ts'
import { type KubeObject, refKey, refOf, refText } from '../kube/api/object.ts'
import { isOurs } from '../kube/ownership/ownership.ts'
import { judge } from '../kube/waiting/readiness.ts'
import type { PlannedObject, StepView } from '../model/planned-change.ts'
import type { Clusters, Connected } from './clusters.ts'
import { factsOf, forDisplay, inOrder, plannedObject, wantedNow } from './dry-run.ts'
import { readOnlyTools, WriteRefused } from './read-only-tools.ts'
import type { Plan, Step, Tools } from './step.ts'
import { asOutputs } from './unknown.ts'

export interface Inspection<O extends object> {
  view: StepView
  /** The step's outputs, if all of them are known. */
  outputs?: Partial<O> | undefined
  /** True if steps that need this one can be shown completely only after it has run. */
  open: boolean
  /** True if its cluster answered. */
  reached: boolean
}

interface StepToInspect<O extends object> {
  plan: Plan<O>
  step: Step<O>
  /** Outputs of earlier steps, and the plan's inputs. */
  known: O
  /** The same, with unknown values for the rest; `unknownsRead` has the labels of those that were read. */
  outputs: O
  unknownsRead: readonly string[]
  clusters: Clusters
  /** The steps that must run before everything is known. */
  after: readonly string[]
  signal: AbortSignal
}

/** `ready` is called once, and may take this long. */
const patienceMs = 5_000

interface Found {
  objects: PlannedObject[]
  deletes: string[]
}

export async function inspectStep<O extends object>(inspected: StepToInspect<O>): Promise<Inspection<O>> {
  const { plan, step, known, outputs, unknownsRead, clusters, after, signal } = inspected
  const here = await clusters.get(step.on)
  const found: Found = { objects: [], deletes: [] }
  const tools = recordingTools(readOnlyTools(clusters, here.api, signal), here, plan, found)
  const allKnown = after.length === 0
  const existing = allKnown ? await step.alreadyDone?.(known, tools) : undefined
  if (existing) return unchanged(inspected, existing)

  const learns = allKnown && step.readOnly === true
  const learned = learns ? await step.act?.(known, tools) : undefined
  Object.assign(outputs, learned)
  const replaced = allKnown ? await replacedObjects(step, { ...known, ...learned } as O, tools) : new Set<string>()
  const { wanted, later } = await wantedNow(step, outputs, unknownsRead)
  // objects that will be deleted first must not be compared with the existing ones
  const recreated = wanted.filter(object => replaced.has(refKey(refOf(object))))
  const rest = wanted.filter(object => !recreated.includes(object))
  const compared: Compared[] = [
    ...recreated.map(object => ({ object, live: undefined, would: 'create' as const })),
    ...(await here.compare(inOrder(rest), unknownsRead.length === 0)),
  ]
  for (const one of compared) note(found, one, plan)
  if (allKnown) await Promise.all(((await step.unwanted?.(asOutputs(known), tools)) ?? []).map(tools.remove))
  const does = [...(step.describe?.(asOutputs(outputs)) ?? []), ...later]
  const acts = step.act !== undefined && !learns
  if (acts || later.length || isSomething(found)) return changed(inspected, found, does, acts)

  const why = step.awaitObjects === false ? undefined : unready(compared)
  if (why !== undefined) return notReady(inspected, why)
  if (!step.ready) return unchanged(inspected, { ...learned })
  if (!allKnown) return wanted.length ? notReady(inspected, undefined) : changed(inspected, found, does, false)
  const live = compared.flatMap(one => one.live ?? [])
  const end = await checkOnce(inspected, { ...known, ...learned } as O, tools, live)
  if (end === 'writes') return changed(inspected, found, does, true)
  if (isSomething(found)) return changed(inspected, found, does, false)
  return 'outputs' in end ? unchanged(inspected, { ...learned, ...end.outputs }) : notReady(inspected, end.why)
}

async function replacedObjects<O extends object>(step: Step<O>, known: O, tools: Tools): Promise<Set<string>> {
  const refs = (await step.replace?.(known, tools)) ?? []
  const deleted = await Promise.all(refs.map(async ref => ((await tools.remove(ref)) ? [refKey(ref)] : [])))
  return new Set(deleted.flat())
}

const isSomething = ({ objects, deletes }: Found): boolean => objects.length + deletes.length > 0

const nothing = { does: [], objects: [], deletes: [], state: 'unchanged' }

const unchanged = <O extends object>({ plan, step }: StepToInspect<O>, outputs: Partial<O>): Inspection<O> => ({
  view: { ...factsOf(plan, step), ...nothing },
  outputs,
  open: false,
  reached: true,
})

/** @param why undefined: it cannot be checked yet */
function notReady<O extends object>({ plan, step }: StepToInspect<O>, why: string | undefined): Inspection<O> {
  const facts = factsOf(plan, step)
  return {
    view: { ...facts, ...nothing, waits: why },
    open: why !== undefined || facts.gives.length > 0,
    // a step without objects only checks whether the cluster answers, and it did not
    reached: why === undefined || step.want !== undefined,
  }
}

function changed<O extends object>(
  inspected: StepToInspect<O>,
  found: Found,
  does: string[],
  acts: boolean,
): Inspection<O> {
  const facts = factsOf(inspected.plan, inspected.step)
  const state = stateOf(inspected, found, acts)
  return {
    view: { ...facts, does, ...found, state },
    // an object that only changes exists, and keeps answering
    open: state === 'would create' || facts.gives.length > 0,
    reached: true,
  }
}

function stateOf<O extends object>(
  { step, after }: StepToInspect<O>,
  { objects, deletes }: Found,
  acts: boolean,
): string {
  if (objects.some(o => o.would === 'change')) return 'would change'
  if (objects.some(o => o.would === 'create')) return 'would create'
  if (deletes.length > 0) return 'would delete'
  if (after.length > 0) return `known after ${after.join(', ')}`
  // a step with `alreadyDone` has found that something is to be done
  return step.alreadyDone || !acts ? 'would change' : 'would be done'
}

const unready = (compared: readonly Compared[]): string | undefined =>
  compared
    .flatMap(({ live }) => (live ? [{ live, verdict: judge(live) }] : []))
    .filter(({ verdict }) => !verdict.ready)
    .map(({ live, verdict }) => `${live.kind} ${live.metadata.name}: ${verdict.why}`)[0]

function note<O extends object>({ objects }: Found, { object, would }: Compared, { owner }: Plan<O>): void {
  if (would !== 'stay') objects.push(plannedObject(forDisplay(object, owner), would ?? 'apply'))
}

/** Tools that record what a step would write, instead of writing it. */
function recordingTools<O extends object>(tools: Tools, here: Connected, plan: Plan<O>, found: Found): Tools {
  return {
    ...tools,
    async apply(object) {
      const [compared] = await here.compare([object], true)
      if (!compared) return object
      note(found, compared, plan)
      return compared.would === 'stay' && compared.live ? compared.live : compared.object
    },
    async remove(ref) {
      const live = await tools.read(ref)
      const goes = live !== undefined && isOurs(live, plan.owner)
      if (goes) found.deletes.push(refText(ref))
      return goes
    },
  }
}

/** Calls `ready` once. Returns the outputs, why it is not ready, or that it would write something. */
async function checkOnce<O extends object>(
  { step, signal }: StepToInspect<O>,
  known: O,
  tools: Tools,
  live: readonly KubeObject[],
): Promise<{ outputs: Partial<O> } | { why: string } | 'writes'> {
  let lastStatus = 'no answer'
  const tell = (text: string) => {
    lastStatus = text
  }
  const over = AbortSignal.timeout(patienceMs)
  try {
    const outputs = await step.ready?.(known, { ...tools, tell, signal: AbortSignal.any([signal, over]) }, live)
    return outputs ? { outputs } : { why: lastStatus }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof WriteRefused) return 'writes'
    if (over.aborted) return { why: lastStatus }
    throw error
  }
}
