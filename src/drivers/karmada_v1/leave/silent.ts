/** A federation whose API does not answer, and perhaps never will: members must be able to leave it all the same. */
import { CoeError } from '../../../core/errors.ts'
import { allAdvice, type CoeStep, standaloneStep } from '../../../core/next-step.ts'
import type { Clock } from '../../../core/world.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { Owner, Plan } from '../../../plan/step.ts'

const lookMs = 5_000

/** One answer that fails is no silence: it may be starting, or busy. */
const looks = 4
const pauseMs = 1_000

type Enter = () => Promise<ClusterApi>

/** Why it does not answer; undefined: it does. */
export async function silence(enter: Enter, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  for (let look = 1; ; look++) {
    const why = await silentNow(enter, signal)
    if (why === undefined || look === looks) return why
    await clock.sleep(pauseMs, signal)
  }
}

async function silentNow(enter: Enter, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status } = await (await enter()).raw({ method: 'GET', path: '/readyz', signal, timeoutMs: lookMs })
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

/** Whatever it knew of the member it may know again when it answers. */
export function silentPlan({ federation, name, owner, api }: Leaving, why: string): Plan {
  return {
    title: `unjoin "${name}" from federation "${federation}"`,
    steps: [{ id: 'detach', title: `off the record alone, for ${why}` }],
    clusters: { federation: { title: `federation "${federation}"`, connect: api } },
    owner,
  }
}

export const unjoinByForce = (why: string, federation: string, member: string): CoeStep =>
  standaloneStep(why, 'federation unjoin', federation, member, { option: 'force' })

/** For whoever found out on the way. */
export function whereSilent(at: { federation: string; creation: CoeStep; name: string }): (error: unknown) => never {
  const { federation, creation, name } = at
  return error => {
    if (!(error instanceof CoeError) || error.details.code === undefined) throw error
    const next = [
      standaloneStep('see what it lacks', 'federation status', federation),
      { ...creation, why: 'put it back' },
      unjoinByForce('if its API is gone for good', federation, name),
    ]
    throw new CoeError(error.outcome, error.message, {
      ...allAdvice(error, { next }),
      details: error.details,
      cause: error,
    })
  }
}
