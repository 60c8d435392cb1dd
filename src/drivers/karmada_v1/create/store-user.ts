/** Decides which user etcd runs as. Some kinds of storage give new volumes to root alone, which only shows when etcd starts. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { labelSelector } from '../../../kube/api/selector.ts'
import { as, type Pod, type StatefulSet } from '../../../kube/api/typed.ts'
import type { Tools } from '../../../plan/step.ts'
import { selector } from '../templates/pod.ts'
import type { Site } from '../templates/site.ts'

/** An existing etcd keeps its user, who owns the files. */
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
 * Makes etcd run as root if its volume belongs to root; called while its pods fail. The StatefulSet's controller replaces one pod
 * at a time and waits until it is ready, but a single one of three etcd members never becomes ready: so this deletes the other
 * pods, once the controller knows their new template.
 * @returns whether it changed something
 */
export async function runAsRoot(
  { namespace, settings }: Site,
  wanted: readonly KubeObject[],
  trouble: string,
  { api, apply, signal, tell }: Tools,
): Promise<boolean> {
  if (settings.etcdUser !== 'auto' || !/permission denied/.test(trouble)) return false
  const live = await api.get(storeRef(namespace), { signal })
  if (live && userOf(live) !== undefined) {
    tell('its volume belongs to root alone: starting it as root')
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
