/** The namespace that a federation stands in: made for it, or made beforehand by somebody and taken over. */
import { conflict, fallbackOn } from '../../core/errors.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { alreadyExists, isConflict, isForbidden } from '../../kube/api/errors.ts'
import type { KubeObject } from '../../kube/api/object.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import { marksRoleName, revokeMarksAccess } from '../../kube/ownership/marks-access.ts'
import type { EngineDeps } from '../deps.ts'
import type { Creation } from '../federations/creation.ts'
import { beingDeleted, endingOf } from '../federations/ending.ts'
import { askedAnnotation, federationLabel, labelsOf, namespaceRef, uuidLabel } from './names.ts'
import { type FederationRecord, recordData } from './record.ts'

/** On a namespace that was there before its federation, and stays when that goes. */
const adoptedMark = 'coe/adopted'

export interface Ground {
  /** As in Plan.fresh. */
  fresh: ReadonlySet<string>
  /** Of the federation that lives there: another run may have been first with it. */
  uuid: string
}

/** By POST, so that of two creators one makes it; the other takes part in what the first one began. */
export async function ensureGround(deps: EngineDeps, creation: Creation): Promise<Ground> {
  const { host, wanted, before, request } = creation
  const { name, namespace, uuid } = wanted
  if (before) return { fresh: new Set(), uuid }
  const ref = namespaceRef(namespace)
  try {
    const { name: _, ...kind } = ref
    await host.api.create(
      { ...kind, metadata: { name: namespace, labels: labelsOf(name, uuid), ...annotated(wanted) } },
      { signal: deps.call.signal },
    )
    return { fresh: new Set([`host/${namespace}`]), uuid }
  } catch (error) {
    // one that was made for somebody is his to take over, though he may make none
    const toAdopt = request.adopt && isForbidden(error) && (await host.api.exists(ref, { signal: deps.call.signal }))
    if (!toAdopt && !alreadyExists(error)) throw error
  }
  return adopted(deps, creation)
}

async function adopted(deps: EngineDeps, creation: Creation): Promise<Ground> {
  const { host, wanted } = creation
  const { name, namespace, uuid } = wanted
  const live = await host.api.get(namespaceRef(namespace), { signal: deps.call.signal })
  const owner = live && ownerIn(live, creation)
  if (!live || owner) return { fresh: new Set(), uuid: owner ?? uuid }
  try {
    const { resourceVersion = '' } = live.metadata
    const annotations = { [adoptedMark]: 'true', ...askedNote(wanted) }
    await mark(host.api, { name: namespace, resourceVersion }, labelsOf(name, uuid), annotations, deps.call.signal)
  } catch (error) {
    // somebody else changed it: perhaps another run that takes it over as well
    if (isConflict(error)) return adopted(deps, creation)
    throw error
  }
  return { fresh: new Set(), uuid }
}

/** What would stop a creation in this namespace, before anything is written. */
export async function refuseTakenGround(deps: EngineDeps, creation: Creation): Promise<void> {
  const live = await creation.host.api.get(namespaceRef(creation.wanted.namespace), { signal: deps.call.signal })
  if (live) ownerIn(live, creation)
}

/** The uuid of this federation, if it is its namespace already; undefined for nobody's that may be taken over. */
function ownerIn(live: KubeObject, { wanted, request, host }: Creation): string | undefined {
  const { name, namespace } = wanted
  const { [federationLabel]: federation, [uuidLabel]: uuid } = live.metadata.labels ?? {}
  const ending = endingOf(live)
  if (ending && federation === name) throw beingDeleted({ name, namespace }, ending, host.reference)
  if (ending) {
    throw conflict(`namespace ${namespace} on the host is being deleted`, {
      hint: 'wait until it is gone, then run this again',
    })
  }
  if (federation === name && uuid) return uuid
  if (federation !== undefined || uuid !== undefined) {
    throw conflict(`namespace ${namespace} on the host belongs to federation "${federation ?? uuid}"`, {
      hint: 'nothing was changed. Take another namespace with --namespace',
    })
  }
  if (request.adopt) return undefined
  throw conflict(`the host has a namespace ${namespace} already, and coe did not make it`, {
    hint: 'nothing was changed. Take it over with --adopt, or take another with --namespace',
  })
}

/** With a version, only over what was read: who changed it meanwhile wins. */
const mark = (
  api: ClusterApi,
  { name, resourceVersion }: { name: string; resourceVersion?: string },
  labels: Record<string, string | null>,
  annotations: Record<string, string | null>,
  signal: AbortSignal,
): Promise<KubeObject> => {
  const metadata = { resourceVersion, labels, annotations }
  return api.patch(namespaceRef(name), { metadata }, { type: 'merge', signal })
}

export const wasAdopted = (namespace: KubeObject): boolean => namespace.metadata.annotations?.[adoptedMark] === 'true'

/** As it was before it was taken over; whatever else was changed on it meanwhile stays. */
export async function giveBack(api: ClusterApi, name: string, uuid: string, signal: AbortSignal): Promise<void> {
  const ours = { namespace: name, labels: labelSelector({ [uuidLabel]: uuid }), signal }
  // who may not delete Events leaves them to the server, which forgets them after an hour
  await api.deleteAll({ apiVersion: 'v1', kind: 'Event' }, ours).catch(() => {})
  await revokeMarksAccess(api, marksRoleName(name), signal)
  await mark(api, { name }, { [federationLabel]: null, [uuidLabel]: null }, unmarked, signal)
}

const unmarked = { [adoptedMark]: null, [askedAnnotation]: null }

/** A namespace without its record is one whose creation was killed early, unless it says otherwise: before the record goes. */
export async function noteAsked(api: ClusterApi, record: FederationRecord, signal: AbortSignal): Promise<void> {
  const annotations = record.intent ? askedNote(record) : { [askedAnnotation]: null }
  // whoever may not change namespaces leaves it as it is
  await mark(api, { name: record.namespace }, {}, annotations, signal).catch(fallbackOn('denied', undefined))
}

const annotated = (record: FederationRecord) => {
  const annotations = askedNote(record)
  return Object.keys(annotations).length ? { annotations } : {}
}

/** A server takes 256 KiB of annotations: what is longer (hundreds of members to join) is in the record alone. */
function askedNote(record: FederationRecord): Record<string, string> {
  const text = JSON.stringify(recordData(record))
  return text.length > 200_000 ? {} : { [askedAnnotation]: text }
}
