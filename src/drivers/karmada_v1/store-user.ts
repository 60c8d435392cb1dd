/** Kinds of storage that give a new volume to root, and to nobody else, are found out by trying. */
import type { KubeObject } from '../../kube/object.ts'
import { as, type StatefulSet } from '../../kube/typed.ts'
import type { Tools } from '../../plan/step.ts'
import type { Site } from './templates/site.ts'

/** Whom it ran as before, it runs as again: the files are that one's. */
export async function storeUser(
  { namespace, settings }: Site,
  { look, unchanged }: Tools,
): Promise<{ store?: KubeObject; storeAsRoot?: boolean }> {
  unchanged()
  const store = await look({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace })
  if (!store || settings.etcdUser !== 'auto') return store ? { store } : {}
  const user = as<StatefulSet>(store).spec?.template?.spec?.securityContext?.runAsUser
  return { store, storeAsRoot: user === undefined }
}

/** @returns whether something was done about it */
export async function asRoot(
  { settings }: Site,
  wanted: readonly KubeObject[],
  trouble: string,
  { apply, tell }: Tools,
): Promise<boolean> {
  if (settings.etcdUser !== 'auto' || !/permission denied/.test(trouble)) return false
  tell('its volume belongs to root alone: it runs as root')
  for (const object of wanted) await apply(object)
  return true
}
