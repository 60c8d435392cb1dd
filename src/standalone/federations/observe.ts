/** Reads a federation and whether a run is changing it: two requests, between which that run may end. */
import { currentHolder } from '../../kube/ownership/lease.ts'
import type { FederationPlace } from '../../model/backend.ts'
import type { Standalone } from '../deps.ts'
import { recordName } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { type FederationRecord, readRecord } from '../records/record.ts'
import { findFederation, recordHere } from '../references/find.ts'

export type Observed = Located & { working: boolean }

export const observe = async (deps: Standalone, ref: string, place: FederationPlace): Promise<Observed> =>
  observed(deps, await findFederation(deps, ref, place))

export async function observed(deps: Standalone, located: Located): Promise<Observed> {
  const { host, record, reference } = located
  const working = await isWorkedOn(deps, located)
  if (working || !hasBegun(record)) return { ...located, working }
  // a run that ended between the two requests has written the record; a killed run has not
  const now = await readRecord(host, record.namespace, deps.call.signal)
  if (now?.uuid !== record.uuid) return { ...located, working }
  const current = { ...located, record: await recordHere(deps, now, reference) }
  return { ...current, working: await isWorkedOn(deps, current) }
}

const hasBegun = ({ history }: FederationRecord): boolean => history.at(-1)?.result === 'running'

/** The lock is read only where the record says that a run has begun. */
async function isWorkedOn({ world, call }: Standalone, { record, host }: Located): Promise<boolean> {
  if (!hasBegun(record)) return false
  const lock = { api: host, world, namespace: record.namespace, name: recordName, signal: call.signal }
  return (await currentHolder(lock)) !== undefined
}
