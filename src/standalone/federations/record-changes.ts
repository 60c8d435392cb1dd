/** What a creation writes into an existing record. */
import type { FederationRecord } from '../records/record.ts'

export const recordChanges = ({ settings, properties, kubeconfigs = [] }: FederationRecord) => ({
  settings,
  properties,
  kubeconfigs,
})

/** The keys whose values differ in the record. */
export const differing = (before: FederationRecord, wanted: FederationRecord) => {
  const changes = recordChanges(wanted)
  const there = recordChanges(before)
  return (Object.keys(changes) as (keyof typeof changes)[]).filter(
    key => JSON.stringify(there[key]) !== JSON.stringify(changes[key]),
  )
}
