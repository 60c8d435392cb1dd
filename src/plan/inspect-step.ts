/** One step, looked at: what it would create and change, and what it would give to others if it stands. */
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
  /** What it gives, where all of that is known. */
  outputs?: Partial<O> | undefined
  /** What needs it can be wholly known only when it is carried out. */
  open: boolean
  /** Its cluster is there, and was asked. */
  entered: boolean
}

interface StepToInspect<O extends object> {
  plan: Plan<O>
  step: Step<O>
  /** What earlier steps gave. */
  known: O
  /** The same, and what stands for the rest; `asked` has what was read of that. */
  outputs: O
  asked: readonly string[]
  clusters: Clusters
  /** Steps that must be carried out before all is known. */
  after: readonly string[]
  signal: AbortSignal
}

/** A step that waits for something is asked once, and not for long. */
const patienceMs = 5_000

interface Found {
  objects: PlannedObject[]
  deletes: string[]
}

export async function inspectStep<O extends object>(looking: StepToInspect<O>): Promise<Inspection<O>> {
  const { plan, step, known, outputs, asked, clusters, after, signal } = looking
  const here = await clusters.get(step.on)
  const found: Found = { objects: [], deletes: [] }
  const tools = noting(readOnlyTools(clusters, here.api, signal), here, plan, found)
  const sure = after.length === 0
  const standing = sure ? await step.alreadyDone?.(known, tools) : undefined
  if (standing) return stands(looking, standing)

  const learns = sure && step.readOnly === true
  const learned = learns ? await step.act?.(known, tools) : undefined
  Object.assign(outputs, learned)
  const cleared = sure ? await clearedFirst(step, { ...known, ...learned } as O, tools) : new Set<string>()
  const { wanted, later } = await wantedNow(step, outputs, asked)
  // the server would compare with what will be gone by then
  const anew = wanted.filter(object => cleared.has(refKey(refOf(object))))
  const rest = wanted.filter(object => !anew.includes(object))
  const compared: Compared[] = [
    ...anew.map(object => ({ object, live: undefined, would: 'create' as const })),
    ...(await here.compare(inOrder(rest), asked.length === 0)),
  ]
  for (const one of compared) note(found, one, plan)
  if (sure) await Promise.all(((await step.unwanted?.(asOutputs(known), tools)) ?? []).map(tools.remove))
  const does = [...(step.describe?.(asOutputs(outputs)) ?? []), ...later]
  const acts = step.act !== undefined && !learns
  if (acts || later.length || isSomething(found)) return differs(looking, found, does, acts)

  const why = step.awaitObjects === false ? undefined : unready(compared)
  if (why !== undefined) return waits(looking, why)
  if (!step.ready) return stands(looking, { ...learned })
  if (!sure) return wanted.length ? waits(looking, undefined) : differs(looking, found, does, false)
  const live = compared.flatMap(one => one.live ?? [])
  const end = await askedOnce(looking, { ...known, ...learned } as O, tools, live)
  if (end === 'writes') return differs(looking, found, does, true)
  if (isSomething(found)) return differs(looking, found, does, false)
  return 'given' in end ? stands(looking, { ...learned, ...end.given }) : waits(looking, end.why)
}

async function clearedFirst<O extends object>(step: Step<O>, known: O, tools: Tools): Promise<Set<string>> {
  const refs = (await step.replace?.(known, tools)) ?? []
  const gone = await Promise.all(refs.map(async ref => ((await tools.remove(ref)) ? [refKey(ref)] : [])))
  return new Set(gone.flat())
}

const isSomething = ({ objects, deletes }: Found): boolean => objects.length + deletes.length > 0

const nothing = { does: [], objects: [], deletes: [], state: 'unchanged' }

const stands = <O extends object>({ plan, step }: StepToInspect<O>, outputs: Partial<O>): Inspection<O> => ({
  view: { ...factsOf(plan, step), ...nothing },
  outputs,
  open: false,
  entered: true,
})

/** @param why undefined: what it waits for cannot be asked yet */
function waits<O extends object>({ plan, step }: StepToInspect<O>, why: string | undefined): Inspection<O> {
  const facts = factsOf(plan, step)
  return {
    view: { ...facts, ...nothing, waits: why },
    open: why !== undefined || facts.gives.length > 0,
    // who is only asked whether it answers has not answered
    entered: why === undefined || step.want !== undefined,
  }
}

function differs<O extends object>(
  looking: StepToInspect<O>,
  found: Found,
  does: string[],
  acts: boolean,
): Inspection<O> {
  const facts = factsOf(looking.plan, looking.step)
  const state = stateOf(looking, found, acts)
  return {
    view: { ...facts, does, ...found, state },
    // what is merely changed is there, and goes on answering
    open: state === 'would create' || facts.gives.length > 0,
    entered: true,
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
  // one that can tell that all is so has said that it is not
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

/** What a step would write while it looks is noted in place of that. */
function noting<O extends object>(tools: Tools, here: Connected, plan: Plan<O>, found: Found): Tools {
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

/** Undefined where there is no answer: a wait would go on. */
async function askedOnce<O extends object>(
  { step, signal }: StepToInspect<O>,
  outputs: O,
  tools: Tools,
  live: readonly KubeObject[],
): Promise<{ given: Partial<O> } | { why: string } | 'writes'> {
  let told = 'no answer'
  const tell = (text: string) => {
    told = text
  }
  const over = AbortSignal.timeout(patienceMs)
  try {
    const given = await step.ready?.(outputs, { ...tools, tell, signal: AbortSignal.any([signal, over]) }, live)
    return given ? { given } : { why: told }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof WriteRefused) return 'writes'
    if (over.aborted) return { why: told }
    throw error
  }
}
