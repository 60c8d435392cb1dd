/** A federation's record on its host: one ConfigMap for it, one for each member, each a few plain values. */

import { parseBounded } from '../../core/bounded-json.ts'
import { conflict, fallbackOn } from '../../core/errors.ts'
import { kubectlStep, optionArgs } from '../../core/next-step.ts'
import { flag, list, mismatchText, object, record, type Shape, text } from '../../core/shape.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { alreadyExists, isConflict } from '../../kube/api/errors.ts'
import type { KubeObject, ObjectRef } from '../../kube/api/object.ts'
import { grantMarksAccess, marksRoleName } from '../../kube/ownership/marks-access.ts'
import type { KubeconfigNote } from '../../model/local-state.ts'
import { sharedReference } from '../../model/member-request.ts'
import { type Ending, endingOf } from '../federations/ending.ts'
import { type HistoryEntry, historyShape } from '../federations/history.ts'
import { type Intent, intentShape } from './intent.ts'
import { configMapKind, federationLabel, labelsOf, namespaceRef, recordLabel, recordName, uuidLabel } from './names.ts'

export interface FederationRecord {
  name: string
  uuid: string
  namespace: string
  driver: string
  driverVersion: string
  /** `creating` until its creation has once been seen to its end. */
  state: 'creating' | 'created'
  /** The driver's, as it gave them. */
  settings: Record<string, unknown>
  properties: Record<string, string>
  /** Of the context that leads to it here. Not kept: it is private to one machine. */
  contextName: string
  /** The last one of a machine is the one in use there. */
  kubeconfigs?: KubeconfigNote[]
  /** What it is called here is not kept, either, but a reference that means the same everywhere is (`shared`). */
  host: { reference: string; uid: string; shared?: string | undefined }
  history: HistoryEntry[]
  /** What was asked for and is not done. Older versions of coe neither read nor keep it. */
  intent?: Intent | undefined
  createdAt: string
  updatedAt: string | null
  /** It is on its way out. */
  ending?: Ending | undefined
  /** What it was when it was read: who writes over something newer is refused. */
  version?: string | undefined
}

export const recordRef = (namespace: string): ObjectRef => ({ ...configMapKind, name: recordName, namespace })

export async function readRecord(
  host: ClusterApi,
  namespace: string,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const object = await host.get(recordRef(namespace), { signal })
  return object && parseRecord(object)
}

const shapes = {
  settings: object({}),
  properties: record(text),
  kubeconfigs: list(object({ file: text, on: text, made: flag })),
  host: object({}, { reference: text, uid: text }),
  history: list(historyShape),
}

export function parseRecord(object: KubeObject): FederationRecord {
  const { metadata, data = {} } = object
  const json = <T>(key: string, fallback: T, shape: Shape): T => {
    if (data[key] === undefined) return fallback
    const damaged = (what: string, cause?: unknown) =>
      conflict(`the record ${metadata.namespace}/${metadata.name} cannot be read: its "${key}" ${what}`, {
        hint: 'somebody has edited it',
        next: [kubectlStep('mend it', 'edit configmap', [...optionArgs('n', metadata.namespace), metadata.name ?? ''])],
        cause,
      })
    let value: unknown
    try {
      value = parseBounded(data[key])
    } catch (cause) {
      throw damaged('is no JSON', cause)
    }
    const mismatch = shape(value)
    if (mismatch) throw damaged(`is not as coe wrote it: ${mismatchText(mismatch)}`)
    return value as T
  }
  return {
    name: metadata.labels?.[federationLabel] ?? '',
    uuid: metadata.labels?.[uuidLabel] ?? '',
    namespace: metadata.namespace ?? '',
    driver: data.driver ?? '',
    driverVersion: data['driver-version'] ?? '',
    state: data.state === 'created' ? 'created' : 'creating',
    settings: json('settings', {}, shapes.settings),
    properties: json('properties', {}, shapes.properties),
    contextName: data['context-name'] ?? '',
    kubeconfigs: json('kubeconfigs', [], shapes.kubeconfigs),
    host: hostIn(json('host', {}, shapes.host)),
    history: json('history', [], shapes.history),
    ...intentIn(data.intent),
    createdAt: metadata.creationTimestamp ?? data['created-at'] ?? '',
    updatedAt: data['updated-at'] ?? null,
    ending: endingOf(object),
    version: metadata.resourceVersion,
  }
}

/** Another version of coe may have written it, or somebody: then it says nothing. */
function intentIn(json: string | undefined): { intent?: Intent } {
  try {
    const value: unknown = json === undefined ? undefined : parseBounded(json)
    return value !== undefined && intentShape(value) === undefined ? { intent: value as Intent } : {}
  } catch {
    return {}
  }
}

/** Records of earlier versions have what one machine called it. */
const hostIn = ({ reference = '', uid = '' }: { reference?: string; uid?: string }): FederationRecord['host'] => ({
  reference,
  uid,
  shared: sharedReference(reference),
})

/** As it was written, with what no server keeps. */
const written = (object: KubeObject, { contextName, host }: FederationRecord): FederationRecord => {
  const record = parseRecord(object)
  return { ...record, contextName, host: { ...record.host, reference: host.reference } }
}

function recordObject(record: FederationRecord, run?: string): KubeObject {
  return {
    ...configMapKind,
    metadata: {
      name: recordName,
      namespace: record.namespace,
      labels: { ...labelsOf(record.name, record.uuid), [recordLabel]: 'federation' },
      ...(run ? { annotations: { 'coe/run': run } } : {}),
      ...(record.version ? { resourceVersion: record.version } : {}),
    },
    data: recordData(record),
  }
}

export const recordData = (record: FederationRecord): Record<string, string> => ({
  driver: record.driver,
  'driver-version': record.driverVersion,
  state: record.state,
  settings: JSON.stringify(record.settings),
  properties: JSON.stringify(record.properties),
  ...(record.kubeconfigs?.length ? { kubeconfigs: JSON.stringify(record.kubeconfigs) } : {}),
  host: JSON.stringify({ uid: record.host.uid, reference: record.host.shared }),
  history: JSON.stringify(record.history),
  ...(record.intent ? { intent: JSON.stringify(record.intent) } : {}),
  ...(record.updatedAt ? { 'updated-at': record.updatedAt } : {}),
})

/** So that a deletion of the host need not ask as its administrator. */
export async function letRecordBeSeen(
  host: ClusterApi,
  { name, uuid, namespace }: FederationRecord,
  signal: AbortSignal,
): Promise<void> {
  const ground = await host.get(namespaceRef(namespace), { signal }).catch(fallbackOn('denied', undefined))
  if (!ground?.metadata.uid) return
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: namespace, uid: ground.metadata.uid }
  await grantMarksAccess(host, { name: marksRoleName(namespace), owner, labels: labelsOf(name, uuid) }, signal)
}

/** By POST: of two creators one makes it, and the other is handed what the first one made. */
export async function createRecord(
  host: ClusterApi,
  record: FederationRecord,
  signal: AbortSignal,
): Promise<{ record: FederationRecord; made: boolean }> {
  try {
    return { record: written(await host.create(recordObject(record), { signal }), record), made: true }
  } catch (error) {
    if (!alreadyExists(error)) throw error
    const there = await readRecord(host, record.namespace, signal)
    if (there) return { record: { ...there, host: { ...there.host, reference: record.host.reference } }, made: false }
    throw error
  }
}

/** Only over what was read; what another run wrote meanwhile ends this one. */
export async function writeRecord(
  host: ClusterApi,
  record: FederationRecord,
  run: string,
  signal?: AbortSignal,
): Promise<FederationRecord> {
  try {
    return written(await host.update(recordObject(record, run), { signal }), record)
  } catch (error) {
    if (!isConflict(error)) throw error
    throw conflict(`the record of federation "${record.name}" was changed by another run while this one worked`, {
      hint: 'run this again',
      cause: error,
    })
  }
}
