/** Reads one object, many objects, or the end of a container's log. */
import { failed, notFound } from '../../core/errors.ts'
import type { Response } from '../../http/transport.ts'
import type { Wire } from '../access/cluster.ts'
import type { RequestLimits, Selection } from './cluster-api.ts'
import { readStatus } from './errors.ts'
import { type Kind, type KubeList, type KubeObject, type ObjectRef, refText } from './object.ts'
import { listOf, objectOf } from './shapes.ts'

export const limitsOf = (limits: RequestLimits | undefined) => ({
  signal: limits?.signal,
  ...(limits?.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
})

export async function getObject<T extends KubeObject>(
  wire: Wire,
  ref: ObjectRef,
  limits?: RequestLimits,
): Promise<T | undefined> {
  const path = await wire.discovery.object(ref, limits?.signal)
  const response = await wire.call({ method: 'GET', path, ...limitsOf(limits) }, `get ${refText(ref)}`, [404])
  if (response.status !== 404) return wire.json<T>(response, objectOf(ref))
  if (isAbsence(response, ref)) return undefined
  throw failed(`${wire.channel.title} is not a Kubernetes API server: it has no page for ${refText(ref)} (404)`, {
    hint: 'check the address, and whether a proxy is in between. It is not known whether the object exists',
    details: { status: 404, url: wire.channel.server },
  })
}

/** A 404 from a proxy or web server does not mean that the object is absent. API servers also send a plain 404 for unknown kinds. */
const isAbsence = (response: Response, { apiVersion }: ObjectRef): boolean =>
  readStatus(response).kind === 'Status' || (apiVersion !== 'v1' && response.text.trim() === '404 page not found')

const pageSize = 500
const partial = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

interface Page<T> {
  metadata?: { resourceVersion?: string; continue?: string }
  items?: T[] | null
}

export async function listObjects<T extends KubeObject>(
  wire: Wire,
  kind: Kind,
  selection: Selection = {},
): Promise<KubeList<T>> {
  const path = await wire.discovery.collection(kind, selection.namespace, selection.signal)
  const headers = selection.metadataOnly ? { accept: partial } : {}
  const items: T[] = []
  let next: string | undefined
  let limit: number | undefined = pageSize
  let resourceVersion = ''
  for (;;) {
    const query = { labelSelector: selection.labels, fieldSelector: selection.fields, limit, continue: next }
    const response = await wire.call(
      { method: 'GET', path, query, headers, ...limitsOf(selection) },
      `list ${kind.kind}`,
      [410],
    )
    if (response.status === 410 && next !== undefined) {
      // the rest of the list expired: list again, without pages
      items.length = 0
      next = undefined
      limit = undefined
      continue
    }
    if (response.status === 410) throw wire.error(response, `list ${kind.kind}`)
    const page = wire.json<Page<T>>(response, listOf(kind))
    // the server leaves apiVersion and kind out of a list's items
    for (const item of page.items ?? []) items.push({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })
    resourceVersion = page.metadata?.resourceVersion ?? resourceVersion
    next = page.metadata?.continue || undefined
    if (next === undefined) return { items, resourceVersion }
  }
}

export async function podLogs(
  wire: Wire,
  pod: ObjectRef,
  options: RequestLimits & { container?: string; lines: number; previous?: boolean },
): Promise<string | undefined> {
  const path = `${await wire.discovery.object(pod, options.signal)}/log`
  const query = {
    tailLines: options.lines,
    container: options.container,
    previous: options.previous ? 'true' : undefined,
  }
  const headers = { accept: '*/*' }
  const response = await wire.call(
    { method: 'GET', path, query, headers, ...limitsOf(options) },
    `read the log of ${refText(pod)}`,
    [400, 403, 404, 500],
  )
  return response.status === 200 && response.text.trim() ? response.text.trimEnd() : undefined
}

export const absent = (wire: Wire, ref: ObjectRef) =>
  notFound(`${wire.channel.title} has no ${refText(ref)}`, { details: { service: 'kubernetes', status: 404 } })
