/** One step, carried out: what stands is left alone, what is wanted applied, and what was applied waited for. */
import { patient } from '../core/patience.ts'
import { poll } from '../core/poll.ts'
import type { Clock } from '../core/world.ts'
import type { Applied } from '../kube/api/cluster-api.ts'
import { type ObjectRef, refKey, refOf, refText } from '../kube/api/object.ts'
import { judge } from '../kube/waiting/readiness.ts'
import { waitGone, waitReady } from '../kube/waiting/wait.ts'
import type { Clusters, Connected } from './clusters.ts'
import { waves } from './order.ts'
import type { Plan, Step, StepResult, Tools } from './step.ts'
import { asOutputs } from './unknown.ts'

/** Another step failed: what this one has applied stays, and is not waited for any more. */
export class Halted extends Error {}

export interface StepRun<O extends object> {
  plan: Plan<O>
  outputs: O
  clusters: Clusters
  clock: Clock
  /** Ends everything. */
  signal: AbortSignal
  /** Ends waiting only. */
  waitSignal: AbortSignal
  limitMs: number
  /** False: one look, and no waiting for what is not ready then. */
  wait: boolean
  onChange(): void
  tell(text: string, trouble?: boolean): void
}

export interface StepEnd<O extends object> {
  outputs: Partial<O>
  result: StepResult
  changed: boolean
  /** Not ready when it was looked at. */
  pending?: boolean
}

export async function runStep<O extends object>(step: Step<O>, run: StepRun<O>): Promise<StepEnd<O>> {
  run.signal.throwIfAborted()
  // a step that only computes needs no cluster, and must not fail for want of one
  let connected: Promise<Connected> | undefined
  const here = () => (connected ??= run.clusters.get(step.on))
  const wantsCluster = step.want ?? step.unwanted ?? step.replace ?? step.alreadyDone ?? step.act ?? step.ready
  let didNothing = false
  const nothing = () => {
    didNothing = true
  }
  let wrote = false
  const writing = () => {
    wrote = true
  }
  const tools = wantsCluster ? makeTools(step, run, await here(), { nothing, writing }) : undefined
  if (step.alreadyDone && tools) {
    const standing = await step.alreadyDone(run.outputs, tools)
    if (standing) return { outputs: standing, result: 'unchanged', changed: false }
  }
  const acted = tools ? await act(step, run, tools, () => didNothing) : undefined
  const outputs = { ...run.outputs, ...acted }
  const cleared =
    tools && step.replace ? await clear(await step.replace(outputs, tools), step, { ...run, wait: true }, here) : 0
  const applied = await applyWanted(step, outputs, run, here)
  const unwanted = tools && step.unwanted ? await step.unwanted(asOutputs(outputs), tools) : []
  const removed = await clear(unwanted, step, run, here)
  const { pending, found } = tools ? await readiness(step, { outputs, applied, removed }, run, tools) : {}
  const acts = (step.act !== undefined && !didNothing) || cleared > 0
  // also where a look found something that had to be made anew
  const changes = wrote ? { result: 'configured' as const, changed: true } : undefined
  const all = { ...acted, ...found } as Partial<O>
  const end = outcome(step, applied, removed, acts)
  return { outputs: all, ...(end.changed ? end : (changes ?? end)), ...(pending ? { pending } : {}) }
}

/** One that fails may have written something. */
async function act<O extends object>(
  step: Step<O>,
  run: StepRun<O>,
  tools: Tools,
  didNothing: () => boolean,
): Promise<Partial<O> | undefined> {
  try {
    return await step.act?.(run.outputs, tools)
  } finally {
    if (step.act && !step.readOnly && !didNothing()) run.onChange()
  }
}

/** A step that waits for what another makes leaves it to that one to say that the time is up. */
const afterAnotherMs = 3_000

interface Made<O extends object> {
  outputs: O
  applied: readonly Applied[]
  removed: number
}

/** Waited for, or looked at once. */
async function readiness<O extends object>(
  step: Step<O>,
  { outputs, applied, removed }: Made<O>,
  run: StepRun<O>,
  tools: Tools,
): Promise<{ pending?: boolean; found?: Partial<O> | undefined }> {
  const objects = step.awaitObjects === false ? [] : applied.map(a => a.object)
  if (run.wait) {
    const { awaits } = step
    const mend = step.mend?.bind(step)
    await waitReady(tools.api, objects, {
      ...waitOptions(step, run),
      made: new Set(applied.filter(a => a.result === 'created').map(a => refKey(refOf(a.object)))),
      awaits: awaits && {
        missing: signal => awaits.missing({ ...tools, signal }),
        arrived: async signal => awaits.arrived?.({ ...tools, signal }),
      },
      mend: mend && (trouble => mend(outputs, trouble, tools)),
      timeoutMs: run.limitMs + (awaits ? afterAnotherMs : 0),
    })
    return { found: await untilReady(step, outputs, run, tools, applied) }
  }
  if (removed > 0 || objects.some(o => !judge(o).ready)) return { pending: true }
  if (!step.ready) return {}
  const found = await lookOf(step, outputs, run, tools, applied)()
  return found ? { found } : { pending: true }
}

const waitOptions = <O extends object>(step: Step<O>, run: StepRun<O>) => ({
  clock: run.clock,
  signal: run.waitSignal,
  tell: run.tell,
  hint: step.hint,
  next: step.next,
})

async function applyWanted<O extends object>(
  step: Step<O>,
  outputs: O,
  run: StepRun<O>,
  here: () => Promise<Connected>,
): Promise<Applied[]> {
  const wanted = (await step.want?.(asOutputs(outputs))) ?? []
  const applied: Applied[] = []
  for (const wave of waves(wanted)) {
    run.signal.throwIfAborted()
    applied.push(...(await (await here()).writer.apply(wave)))
  }
  return applied
}

async function clear<O extends object>(
  refs: readonly ObjectRef[],
  step: Step<O>,
  run: StepRun<O>,
  here: () => Promise<Connected>,
): Promise<number> {
  const { api, writer } = refs.length ? await here() : ({} as Connected)
  let removed = 0
  await Promise.all(
    refs.map(async ref => {
      if (!(await writer.remove(ref))) return
      removed++
      if (run.wait) await waitGone(api, ref, { ...waitOptions(step, run), timeoutMs: run.limitMs })
    }),
  )
  return removed
}

async function untilReady<O extends object>(
  step: Step<O>,
  outputs: O,
  run: StepRun<O>,
  tools: Tools,
  applied: readonly Applied[],
): Promise<Partial<O> | undefined> {
  if (!step.ready) return undefined
  let seen: string | undefined
  const tell = (text: string) => {
    if (text !== seen) run.tell(text)
    seen = text
  }
  // a look may last as long as a watch: it ends with the time that there is
  const over = new AbortController()
  const ended = new AbortController()
  const timer = run.clock.sleep(run.limitMs, AbortSignal.any([run.waitSignal, ended.signal]))
  timer.then(() => over.abort(new Error('the time is up'))).catch(() => {})
  const signal = AbortSignal.any([run.waitSignal, over.signal])
  const look = lookOf(step, outputs, run, { ...tools, tell, signal }, applied)
  const inTime = () =>
    look().catch(error => {
      if (over.signal.aborted && !run.waitSignal.aborted) return undefined
      throw error
    })
  try {
    return await poll(inTime, {
      clock: run.clock,
      timeoutMs: run.limitMs,
      signal: run.waitSignal,
      intervalMs: 300,
      maxIntervalMs: 2_000,
      what: `${step.id} (${step.title})`,
      lastSeen: () => seen,
    })
  } finally {
    ended.abort(new Error('nobody waits any more'))
  }
}

function lookOf<O extends object>(
  step: Step<O>,
  outputs: O,
  run: StepRun<O>,
  tools: Tools,
  applied: readonly Applied[],
) {
  const objects = applied.map(a => a.object)
  const onTrouble = (error: Error) => tools.tell(error.message)
  return patient(async () => step.ready?.(outputs, tools, objects), { clock: run.clock, onTrouble })
}

interface WriteReports {
  nothing(): void
  writing(): void
}

function makeTools<O extends object>(
  step: Step<O>,
  run: StepRun<O>,
  here: Connected,
  { nothing, writing }: WriteReports,
): Tools {
  return {
    api: here.api,
    cluster: async key => (await run.clusters.get(key)).api,
    signal: run.waitSignal,
    limitMs: run.limitMs,
    tell: run.tell,
    async apply(object) {
      const [applied] = await here.writer.apply([object])
      if (!applied) throw new Error(`nothing came of applying ${object.kind} in step ${step.id}`)
      if (applied.result !== 'unchanged') writing()
      return applied.object
    },
    read: ref => here.writer.read(ref),
    changedNothing: nothing,
    async remove(ref) {
      run.tell(`deleting ${refText(ref)}`)
      return here.writer.remove(ref)
    },
  }
}

function outcome<O extends object>(
  step: Step<O>,
  applied: readonly Applied[],
  removed: number,
  acts: boolean,
): Pick<StepEnd<O>, 'result' | 'changed'> {
  if (removed > 0) return { result: 'removed', changed: true }
  for (const result of ['created', 'configured'] as const) {
    if (applied.some(a => a.result === result)) return { result, changed: true }
  }
  if (acts) return { result: 'done', changed: true }
  // a step that only looks has changed nothing, and "unchanged" would be an odd word for it
  return { result: step.want || step.unwanted || step.act ? 'unchanged' : 'done', changed: false }
}
