/** Setting and dropping single labels: by key where the path can carry it, else as a whole dictionary, read first. */
import { stringifyExact } from '../../core/exact-json.ts'
import type { LabelChange, PatchOperation } from '../../model/change.ts'
import type { Labels } from '../../model/cluster.ts'
import { labelOperations } from '../encode.ts'

const carried = /^[\w-]+$/

export async function labelEdits(change: LabelChange, current: () => Promise<Labels>): Promise<PatchOperation[]> {
  const keys = [...Object.keys(change.set), ...change.unset]
  if (keys.length === 0) return []
  if (keys.every(key => carried.test(key))) return labelOperations(change)
  const labels: Labels = { ...(await current()), ...change.set }
  for (const key of change.unset) delete labels[key]
  // a dictionary goes as text; as an object the server refuses it
  return [{ op: 'replace', path: 'labels', value: stringifyExact(labels) }]
}
