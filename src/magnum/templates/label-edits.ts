/** Setting and dropping single labels: by key where the path can carry it, else as a whole dictionary, read first. */
import { stringifyExact } from '../../core/exact-json.ts'
import type { LabelChange } from '../../model/change.ts'
import type { Labels } from '../../model/cluster.ts'
import type { Edit } from '../../model/operation.ts'

const carried = /^[\w-]+$/

export async function labelEdits(change: LabelChange | undefined, current: () => Promise<Labels>): Promise<Edit[]> {
  if (!change) return []
  const keys = [...Object.keys(change.set), ...change.unset]
  if (keys.length === 0) return []
  if (keys.every(key => carried.test(key))) {
    return [
      ...Object.entries(change.set).map(([key, value]): Edit => ({ op: 'add', path: `labels/${key}`, value })),
      ...change.unset.map((key): Edit => ({ op: 'remove', path: `labels/${key}` })),
    ]
  }
  const labels: Labels = { ...(await current()), ...change.set }
  for (const key of change.unset) delete labels[key]
  // a dictionary goes as text; as an object the server refuses it
  return [{ op: 'replace', path: 'labels', value: stringifyExact(labels) }]
}
