/** Unjoins members from a federation whose API does not answer, perhaps for good. */
import { CoeError } from '../../../core/errors.ts'
import { allAdvice, type CoeStep, standaloneStep } from '../../../core/next-step.ts'
import type { Clock } from '../../../core/world.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { Owner, Plan } from '../../../plan/step.ts'

const probeMs = 5_000

/** A single failure is not enough: the API may be starting or busy. */
const attempts = 4
const pauseMs = 1_000

type Enter = () => Promise<ClusterApi>

/** Why the API does not answer; undefined if it does. */
export async function silence(enter: Enter, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const why = await silentNow(enter, signal)
    if (why === undefined || attempt === attempts) return why
    await clock.sleep(pauseMs, signal)
  }
}

async function silentNow(enter: Enter, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status } = await (await enter()).raw({ method: 'GET', path: '/readyz', signal, timeoutMs: probeMs })
    return status >= 500 ? `its API answers with HTTP ${status}` : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CoeError) || error.outcome === 'denied') throw error
    return error.message
  }
}

interface Leaving {
  federation: string
  name: string
  owner: Owner
  api(): Promise<ClusterApi>
}

/** Removes the member from the record only. If the API comes back, it may still know the member. */
export function silentPlan({ federation, name, owner, api }: Leaving, why: string): Plan {
  return {
    title: `unjoin "${name}" from federation "${federation}"`,
    steps: [{ id: 'detach', title: `removing it from the record only, because ${why}` }],
    clusters: { federation: { title: `federation "${federation}"`, connect: api } },
    owner,
  }
}

export const unjoinByForce = (why: string, federation: string, member: string): CoeStep =>
  standaloneStep(why, 'federation unjoin', federation, member, { option: 'force' })

/** Adds next steps to the error of an API that does not answer. */
export function whereSilent(at: { federation: string; creation: CoeStep; name: string }): (error: unknown) => never {
  const { federation, creation, name } = at
  return error => {
    if (!(error instanceof CoeError) || error.details.code === undefined) throw error
    const next = [
      standaloneStep('see what is missing', 'federation status', federation),
      { ...creation, why: 'repair it' },
      unjoinByForce('if its API is gone for good', federation, name),
    ]
    throw new CoeError(error.outcome, error.message, {
      ...allAdvice(error, { next }),
      details: error.details,
      cause: error,
    })
  }
}
