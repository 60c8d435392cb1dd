/** Runs a plan that deletes, then checks that nothing is left, and reports what is. */
import { mapLimit } from '../core/concurrency.ts'
import { CoeError, failed } from '../core/errors.ts'
import type { NextStep } from '../core/next-step.ts'
import { poll } from '../core/poll.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import { isNotFound } from '../kube/api/errors.ts'
import { type Kind, type KubeObject, type ObjectRef, refOf, refText } from '../kube/api/object.ts'
import { type Owner, ourSelector } from '../kube/ownership/ownership.ts'
import { planClusters } from './clusters.ts'
import { type EngineOptions, runPlan } from './engine.ts'
import type { Plan, PlanResult } from './step.ts'

/** The time that the server's garbage collection gets after our deletes have ended. */
const graceMs = 15_000

export interface Left extends ObjectRef {
  /** The key of its cluster in the plan. */
  on: string
  /** Why it still exists, if it says so. */
  held?: string
}

export async function runRemoval<O extends object>(plan: Plan<O>, options: EngineOptions): Promise<PlanResult<O>> {
  const until = options.clock.now() + options.op.waitTimeoutMs
  const result = await runPlan(plan, options)
  if (!options.op.wait || !plan.leftovers?.length) return result
  const { op, clock } = options
  const signal = options.signal ?? op.signal
  const clusters = planClusters(plan, result.outputs, signal)
  let left: Left[] = []
  const timeoutMs = Math.max(0, Math.min(graceMs, until - clock.now()))
  op.report.step('check', 'checking that nothing is left')
  try {
    await poll(
      async () => {
        left = await findLeftovers(plan, async key => (await clusters.get(key)).api, signal)
        return left.length === 0 ? true : undefined
      },
      { clock, timeoutMs, signal, intervalMs: 400, maxIntervalMs: 2_000, what: 'its objects to be deleted' },
    )
  } catch (error) {
    op.report.fail('check')
    if (error instanceof CoeError && error.outcome === 'timeout') throw leftError(plan, left, options.resume)
    throw error
  }
  op.report.done('check', 'nothing is left')
  return result
}

async function findLeftovers<O extends object>(
  plan: Pick<Plan<O>, 'leftovers' | 'owner'>,
  connect: (key: string) => Promise<ClusterApi>,
  signal: AbortSignal,
): Promise<Left[]> {
  const found = await mapLimit(plan.leftovers ?? [], 8, async ({ on, kind, namespace }) => {
    const objects = await ownedObjects(await connect(on), plan.owner, kind, namespace, signal)
    return objects.map(object => ({ ...refOf(object), on, ...held(object) }))
  })
  return found.flat()
}

/** All objects of a kind with our label. A kind that is no longer served has none. */
async function ownedObjects(
  api: ClusterApi,
  owner: Owner,
  kind: Kind,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  const selection = { namespace, labels: ourSelector(owner), metadataOnly: true, signal }
  try {
    return (await api.list(kind, selection)).items
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

function held({ metadata }: KubeObject): { held?: string } {
  if (!metadata.deletionTimestamp || !metadata.finalizers?.length) return {}
  return { held: `held by ${metadata.finalizers.join(', ')}` }
}

function leftError<O extends object>(plan: Plan<O>, left: readonly Left[], resume: NextStep): CoeError {
  const list = left.map(l => `${refText(l)} on ${plan.clusters[l.on]?.title ?? l.on}${l.held ? ` (${l.held})` : ''}`)
  return failed(
    `cannot ${plan.title}: ${left.length === 1 ? '1 object is' : `${left.length} objects are`} left: ${list.join('; ')}`,
    {
      next: [resume],
      details: { left: left.map(l => ({ ...l })) },
    },
  )
}
