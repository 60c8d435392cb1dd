/** Changes the properties of a federation. */
import type { FederationOutcome, FederationPlace } from '../../model/backend.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Standalone } from '../deps.ts'
import { listMembers } from '../members/member-record.ts'
import { askUpdate, updateDone } from '../records/intent.ts'
import { findFederation } from '../references/find.ts'
import { changing } from './change.ts'
import { refuseEnding } from './ending.ts'
import { completedText } from './history.ts'
import { federationOf } from './view.ts'

type Properties = Record<string, string>

interface Update {
  set: Properties
  unset: readonly string[]
}

export async function updateProperties(
  deps: Standalone,
  ref: string,
  place: FederationPlace,
  update: Update,
  op: ScopedOperation,
): Promise<FederationOutcome> {
  const located = await findFederation(deps, ref, place)
  const { record, host } = located
  refuseEnding(record, located.reference)
  const properties = updated(record.properties, update)
  const members = await listMembers(host, record, op.signal)
  const after = federationOf({ ...record, properties }, members, false)
  // the intent of an update that was cut off after its write must still be removed from the record
  const isDone = same(properties, record.properties) && !record.intent?.update
  if (isDone) return { result: 'unchanged', federation: after }
  if (op.dryRun) {
    const planned = [{ action: 'update', target: `the record of federation "${record.name}"`, body: { properties } }]
    return { result: 'planned', federation: after, planned }
  }
  const asks = askUpdate(update.set, update.unset)
  return changing(deps, located, { verb: 'update', asks }, op, async run => {
    await run.save({ properties: updated(run.record().properties, update) })
    const federation = {
      ...federationOf(run.record(), members, false),
      status: 'UPDATE_COMPLETE',
      status_reason: completedText('UPDATE'),
    }
    const notes = [{ kind: 'updated' as const, name: record.name }]
    return { value: { result: 'updated', federation, notes }, left: updateDone }
  })
}

function updated(properties: Properties, { set, unset }: Update): Properties {
  const next = { ...properties, ...set }
  for (const key of unset) delete next[key]
  return next
}

const same = (a: Properties, b: Properties): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([k, v]) => b[k] === v)
