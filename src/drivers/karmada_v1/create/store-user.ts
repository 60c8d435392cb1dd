/** Kinds of storage that give a new volume to root, and to nobody else, are found out by trying. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { labelSelector } from '../../../kube/api/selector.ts'
import { as, type Pod, type StatefulSet } from '../../../kube/api/typed.ts'
import type { Tools } from '../../../plan/step.ts'
import { selector } from '../templates/pod.ts'
import type { Site } from '../templates/site.ts'

/** Whom it ran as before, it runs as again: the files are that one's. */
export async function storeUser(
  { namespace, settings }: Site,
  { read, changedNothing }: Tools,
): Promise<{ store?: KubeObject; storeAsRoot?: boolean }> {
  changedNothing()
  const store = await read(storeRef(namespace))
  if (!store || settings.etcdUser !== 'auto') return store ? { store } : {}
  return { store, storeAsRoot: userOf(store) === undefined }
}

/**
 * Called for as long as its pods fail. Its controller replaces one pod at a time and waits until that one is ready, which
 * one of three etcd members never is alone: the others are replaced here, once the controller knows what they are to be.
 * @returns whether something was done about it
 */
export async function asRoot(
  { namespace, settings }: Site,
  wanted: readonly KubeObject[],
  trouble: string,
  { api, apply, signal, tell }: Tools,
): Promise<boolean> {
  if (settings.etcdUser !== 'auto' || !/permission denied/.test(trouble)) return false
  const live = await api.get(storeRef(namespace), { signal })
  if (live && userOf(live) !== undefined) {
    tell('its volume belongs to root alone: it runs as root')
    for (const object of wanted) await apply(object)
    return true
  }
  const status = live && as<StatefulSet>(live).status
  if (!status?.updateRevision) return false
  if (status.observedGeneration !== live?.metadata.generation) return true
  const labels = labelSelector(selector('etcd'))
  const pod = { apiVersion: 'v1', kind: 'Pod' }
  const { items } = await api.list(pod, { namespace, labels, signal })
  const old = items.filter(item => item.metadata.labels?.[revisionLabel] !== status.updateRevision && !isReady(item))
  for (const { metadata } of old)
    await api.deleteAll(pod, { namespace, fields: `metadata.name=${metadata.name}`, signal })
  return old.length > 0
}

const revisionLabel = 'controller-revision-hash'

const storeRef = (namespace: string) => ({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace })

const isReady = (pod: KubeObject): boolean =>
  as<Pod>(pod).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

/** Undefined for root. */
const userOf = (store: KubeObject) => as<StatefulSet>(store).spec?.template?.spec?.securityContext?.runAsUser
