/** What a creation writes into a record that is there already. */
import type { FederationRecord } from '../records/record.ts'

export const recordChanges = ({ settings, properties, kubeconfigs = [] }: FederationRecord) => ({
  settings,
  properties,
  kubeconfigs,
})

/** What the record does not say yet. */
export const differing = (before: FederationRecord, wanted: FederationRecord) => {
  const changes = recordChanges(wanted)
  const there = recordChanges(before)
  return (Object.keys(changes) as (keyof typeof changes)[]).filter(
    key => JSON.stringify(there[key]) !== JSON.stringify(changes[key]),
  )
}
