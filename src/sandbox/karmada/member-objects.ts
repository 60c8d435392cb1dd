import type { ControlPlane } from '../kube/control-plane.ts'
import { copy, type Json, type KubeObject, same } from '../kube/object.ts'
import type { MemberAnswer, MemberClient } from './member-client.ts'
import { managedLabel } from './names.ts'

/** The path of a Work's object on the member. */
function pathOf(plane: ControlPlane, { apiVersion, kind, metadata }: KubeObject, withName: boolean): string {
  const type = plane.types.ofObject({ apiVersion, kind })
  const plural = type?.plural ?? `${kind.toLowerCase()}s`
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const place = metadata.namespace ? `${base}/namespaces/${metadata.namespace}/${plural}` : `${base}/${plural}`
  return withName ? `${place}/${encodeURIComponent(metadata.name)}` : place
}

const text = ({ status, body }: MemberAnswer) => body?.message ?? `status ${status}`
const good = ({ status }: MemberAnswer) => status >= 200 && status < 300

export async function readManifest(
  plane: ControlPlane,
  client: MemberClient,
  manifest: KubeObject,
): Promise<KubeObject | undefined> {
  const answer = await client.call('GET', pathOf(plane, manifest, true))
  if (answer.status === 404) return undefined
  if (!good(answer)) throw new Error(text(answer))
  return answer.body
}

/** Returns the error message, if any. */
export async function applyManifest(
  plane: ControlPlane,
  client: MemberClient,
  manifest: KubeObject,
): Promise<string | undefined> {
  const live = await readManifest(plane, client, manifest)
  if (!live) {
    const made = await client.call('POST', pathOf(plane, manifest, false), manifest)
    return good(made) ? undefined : text(made)
  }
  const refusal = refusalOf(live, manifest)
  if (refusal !== undefined) return refusal
  const next = merged(live, manifest)
  if (same(live, next)) return undefined
  const put = await client.call('PUT', pathOf(plane, manifest, true), next)
  return good(put) ? undefined : text(put)
}

/** Refuses to change another owner's object, unless the policy allows taking it over. */
function refusalOf(live: KubeObject, { kind, metadata }: KubeObject): string | undefined {
  const overwrite = metadata.annotations?.['work.karmada.io/conflict-resolution'] === 'overwrite'
  if (live.metadata.labels?.[managedLabel] === 'true' || overwrite) return undefined
  const place = metadata.namespace ? `${metadata.namespace}/` : ''
  return `resource(kind=${kind}, ${place}${metadata.name}) already exists in the cluster and the resolveConflict strategy value is empty or abort, Karmada will not manage this resource`
}

/** The live object merged with the manifest; keeps the member's additions (addresses, ports, status). */
function merged(live: KubeObject, manifest: KubeObject): KubeObject {
  const overlay = (under: Json, over: Json): Json => {
    if (Array.isArray(over) || typeof over !== 'object' || over === null || Array.isArray(under)) return over
    if (typeof under !== 'object' || under === null) return over
    const result = { ...under }
    for (const [key, value] of Object.entries(over)) result[key] = overlay(under[key], value)
    return result
  }
  return overlay(copy(live), manifest) as KubeObject
}

const ownLabels =
  /^karmada\.io\/|^work\.karmada\.io\/|policy\.karmada\.io\/permanent-id$|binding\.karmada\.io\/permanent-id$/
const ownAnnotations =
  /^work\.karmada\.io\/(name|namespace)$|^resourcetemplate\.karmada\.io\/|policy\.karmada\.io\/(name|namespace)$|binding\.karmada\.io\/(name|namespace)$/

const without = (map: Record<string, string> | undefined, own: RegExp) =>
  Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !own.test(key)))

/** Deletes the object on the member, or keeps it and only removes Karmada's marks. */
export async function removeManifest(
  plane: ControlPlane,
  client: MemberClient,
  manifest: KubeObject,
  keep: boolean,
): Promise<string | undefined> {
  const live = await readManifest(plane, client, manifest)
  // removing the marks means writing to the object, which is refused each time as at first
  if (live && keep) {
    const refusal = refusalOf(live, manifest)
    if (refusal !== undefined) return refusal
  }
  if (live?.metadata.labels?.[managedLabel] !== 'true') return undefined
  const path = pathOf(plane, manifest, true)
  if (!keep) {
    const answer = await client.call('DELETE', path, { propagationPolicy: 'Background' })
    return good(answer) || answer.status === 404 ? undefined : text(answer)
  }
  const metadata = {
    ...live.metadata,
    labels: without(live.metadata.labels, ownLabels),
    annotations: without(live.metadata.annotations, ownAnnotations),
  }
  const put = await client.call('PUT', path, { ...live, metadata })
  return good(put) ? undefined : text(put)
}
