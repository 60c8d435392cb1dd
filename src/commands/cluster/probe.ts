/** `--probe`, and which columns a look at the clusters themselves fills. */
import type { Column, Result, Row } from '../../cli/spec.ts'
import { flag } from '../../cli/values.ts'
import type { Clusters } from '../../model/backend.ts'

export const probe = flag(
  'probe',
  'ask the cluster itself: version, nodes, health, and the federations that it is in; credential plugins that might ask something are not started',
  { mode: 'standalone' },
)

type Shape = Pick<Result, 'extraColumns' | 'tableColumns'>

export function listShape({ tables }: Clusters, probed: boolean): Shape {
  const worth = tables?.[probed ? 'probed' : 'list']
  return worth ? { extraColumns: worth, tableColumns: worth } : {}
}

/** All that there is of one, in the order of the columns. */
export function showShape({ tables }: Clusters, columns: readonly Column[], object: Row): Shape {
  const extraColumns = columns.filter(c => c.extra && c.name in object).map(c => c.name)
  return { extraColumns, ...(tables ? { tableColumns: columns.map(c => c.name).filter(name => name in object) } : {}) }
}
