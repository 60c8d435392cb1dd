/** Runs one step: leaves it alone if it is already done, applies the wanted objects, and waits until they are ready. */
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

/** Ends the wait of a step because another step failed. What it has applied stays. */
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
  /** False: checks once, and does not wait for objects that are not ready. */
  wait: boolean
  onChange(): void
  tell(text: string, trouble?: boolean): void
}

export interface StepEnd<O extends object> {
  outputs: Partial<O>
  result: StepResult
  changed: boolean
  /** True if the step was not ready when it was checked. */
  pending?: boolean
}

export async function runStep<O extends object>(step: Step<O>, run: StepRun<O>): Promise<StepEnd<O>> {
  run.signal.throwIfAborted()
  // a step that only computes must not fail because a cluster does not answer
  let connected: Promise<Connected> | undefined
  const here = () => (connected ??= run.clusters.get(step.on))
  const needsCluster = step.want ?? step.unwanted ?? step.replace ?? step.alreadyDone ?? step.act ?? step.ready
  let didNothing = false
  const nothing = () => {
    didNothing = true
  }
  let wrote = false
  const writing = () => {
    wrote = true
  }
  const tools = needsCluster ? makeTools(step, run, await here(), { nothing, writing }) : undefined
  if (step.alreadyDone && tools) {
    const existing = await step.alreadyDone(run.outputs, tools)
    if (existing) return { outputs: existing, result: 'unchanged', changed: false }
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
  // a check, too, may have written something through its tools
  const changes = wrote ? { result: 'configured' as const, changed: true } : undefined
  const all = { ...acted, ...found } as Partial<O>
  const end = outcome(step, applied, removed, acts)
  return { outputs: all, ...(end.changed ? end : (changes ?? end)), ...(pending ? { pending } : {}) }
}

/** Runs `act`. Even if it fails, it may have written something. */
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

/** Extra time for a step that waits for another one, so that the other one reports the timeout. */
const afterAnotherMs = 3_000

interface Made<O extends object> {
  outputs: O
  applied: readonly Applied[]
  removed: number
}

/** Waits until the step is ready, or under `--no-wait` checks it once. */
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
  const found = await readyCheck(step, outputs, run, tools, applied)()
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
  let lastStatus: string | undefined
  const tell = (text: string) => {
    if (text !== lastStatus) run.tell(text)
    lastStatus = text
  }
  // one check may last as long as a watch, so it ends at the deadline
  const over = new AbortController()
  const ended = new AbortController()
  const timer = run.clock.sleep(run.limitMs, AbortSignal.any([run.waitSignal, ended.signal]))
  timer.then(() => over.abort(new Error('the time is up'))).catch(() => {})
  const signal = AbortSignal.any([run.waitSignal, over.signal])
  const check = readyCheck(step, outputs, run, { ...tools, tell, signal }, applied)
  const inTime = () =>
    check().catch(error => {
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
      lastSeen: () => lastStatus,
    })
  } finally {
    ended.abort(new Error('the wait is over'))
  }
}

function readyCheck<O extends object>(
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
      if (!applied) throw new Error(`the writer returned no result for ${object.kind} in step ${step.id}`)
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
  // "unchanged" would be misleading for a step that only checks something
  return { result: step.want || step.unwanted || step.act ? 'unchanged' : 'done', changed: false }
}
