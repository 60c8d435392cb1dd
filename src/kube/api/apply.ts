/** Server-side apply: coe sends the fields that it wants, and the server records which manager owns which field. */

import type { Response } from '../../http/transport.ts'
import type { Wire } from '../access/cluster.ts'
import { fieldManager } from './change.ts'
import type { Applied, ApplyOptions } from './cluster-api.ts'
import { fieldConflicts, kubeError, readStatus } from './errors.ts'
import { type KubeObject, refOf, refText } from './object.ts'
import { limitsOf } from './read.ts'
import { objectOf } from './shapes.ts'

export async function applyObject(wire: Wire, object: KubeObject, options: ApplyOptions = {}): Promise<Applied> {
  const ref = refOf(object)
  const path = await wire.discovery.object(ref, options.signal)
  const send = (force: boolean) =>
    wire.channel.request({
      method: 'PATCH',
      path: options.subresource ? `${path}/${options.subresource}` : path,
      query: { fieldManager, force: force ? 'true' : undefined, dryRun: options.dryRun ? 'All' : undefined },
      headers: { 'content-type': 'application/apply-patch+yaml' }, // JSON is valid YAML
      body: JSON.stringify(object),
      repeatable: true,
      ...limitsOf(options),
    })
  let response = await send(options.force ?? false)
  if (response.status === 409 && onlyWithOurselves(response)) response = await send(true)
  if (response.status >= 300) {
    throw kubeError(response, { server: wire.channel.title, doing: `apply ${refText(ref)}` })
  }
  const live = wire.json<KubeObject>(response, objectOf(object))
  return {
    object: live,
    result: response.status === 201 ? 'created' : changedNow(live, response) ? 'configured' : 'unchanged',
  }
}

/** Objects that coe made by POST or PUT have a second manager entry with coe's name, which conflicts with apply. */
function onlyWithOurselves(response: Response): boolean {
  const conflicts = fieldConflicts(readStatus(response))
  return conflicts.length > 0 && conflicts.every(c => c.manager === fieldManager)
}

/**
 * The server updates the time of coe's manager entry only if an apply changed something. Comparing it with the answer's date, which
 * is of the same clock, saves reading the object beforehand. Both are exact to a second.
 */
function changedNow(object: KubeObject, response: Response): boolean {
  const ours = object.metadata.managedFields?.filter(m => m.manager === fieldManager && m.operation === 'Apply') ?? []
  const stamped = Math.max(...ours.map(m => Date.parse(String(m.time))))
  const answered = Date.parse(response.headers.date ?? '')
  if (!Number.isFinite(stamped) || Number.isNaN(answered)) return true
  return answered - stamped < 2_000
}
