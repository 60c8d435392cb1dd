/** The address of a federation's API, and what the API has lost, for commands that show the record. */
import { resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import { allAdvice } from '../../core/next-step.ts'
import type { Federation } from '../../model/federation.ts'
import type { ObjectHealth } from '../../model/federation-health.ts'
import { isComplete } from '../../model/status.ts'
import type { Standalone } from '../deps.ts'
import type { Located } from '../records/on-host.ts'
import { driverOf, siteOf } from './site.ts'

export interface ApiState {
  /** Null if there is none yet, its driver is missing, or its Secret may not be read. */
  address: string | null
  missing: readonly ObjectHealth[]
}

export function apiState(deps: Standalone, located: Located): Promise<ApiState> {
  const look = async () => {
    const { federations: driver } = await driverOf(deps, located)
    const federation = driver.open(siteOf(located, deps.call.signal))
    const { server } = await federation.access()
    return { address: server, missing: await orElse(federation.missing?.() ?? Promise.resolve([]), []) }
  }
  return orElse<ApiState>(look(), { address: null, missing: [] })
}

/** A change that is running or has failed keeps its own reason. */
export function withApi(federation: Federation, { address, missing }: ApiState): Federation {
  const shown = { ...federation, api_address: address }
  if (missing.length === 0 || !isComplete(federation.status)) return shown
  const { hint, next } = allAdvice(...missing)
  const reasons = [...missing.map(({ name, reason }) => `${name}: ${reason}`), ...(hint ? [hint] : [])]
  return { ...shown, status_reason: reasons.join('; '), next }
}

/** Answers that fail fall back to `otherwise`, so that the rest is shown. */
async function orElse<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  const found = await resultOf(asked)
  if (found.ok) return found.value
  if (found.error instanceof CoeError) return otherwise
  throw found.error
}
