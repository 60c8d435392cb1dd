/** `--probe`, and the columns that it fills. */

import { flag } from '../../cli/parse/values.ts'
import type { Column, Result, Row } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import type { Clusters } from '../../model/backend.ts'

/** Both modes accept it: in Magnum mode the error names the command that works. */
export const probe = flag(
  'probe',
  'standalone mode: ask the cluster itself for its version, nodes, health and federations; credential plugins run without a terminal',
)

export function probing({ probe, timeout }: { probe: boolean; timeout: number | undefined }) {
  if (timeout !== undefined && !probe) throw usage('--timeout is for --probe: without it no cluster is queried')
  return { probe, timeoutMs: timeout }
}

type Shape = Pick<Result, 'extraColumns' | 'tableColumns'>

export function listShape({ tables }: Clusters, probed: boolean): Shape {
  const worth = tables?.[probed ? 'probed' : 'list']
  return worth ? { extraColumns: worth, tableColumns: worth } : {}
}

/** All fields of a cluster, in the order of the columns. */
export function showShape({ tables }: Clusters, columns: readonly Column[], object: Row): Shape {
  const extraColumns = columns.filter(c => c.extra && c.name in object).map(c => c.name)
  return { extraColumns, ...(tables ? { tableColumns: columns.map(c => c.name).filter(name => name in object) } : {}) }
}
