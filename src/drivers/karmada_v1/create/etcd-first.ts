/** Without etcd, the API server exits after half a minute, and Kubernetes restarts it at growing intervals. Restarts it in time. */

import { labelSelector } from '../../../kube/api/selector.ts'
import { as, type Pod } from '../../../kube/api/typed.ts'
import { judge } from '../../../kube/waiting/readiness.ts'
import type { Tools } from '../../../plan/step.ts'
import type { ComponentName } from '../names.ts'
import { selector } from '../templates/pod.ts'
import type { Site } from '../templates/site.ts'

export async function etcdMissing({ namespace }: Site, { api, signal }: Tools): Promise<string | undefined> {
  const etcd = await api.get({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace }, { signal })
  return etcd && judge(etcd).ready ? undefined : 'etcd is not ready yet'
}

/** Deletes the component's pods that wait for the end of their back-off; their controller replaces them at once. */
export async function restartCrashed(name: ComponentName, site: Site, { api, signal, tell }: Tools): Promise<void> {
  const labels = labelSelector({ ...site.labels, ...selector(name) })
  const { namespace } = site
  const kind = { apiVersion: 'v1', kind: 'Pod' }
  const { items } = await api.list(kind, { namespace, labels, signal })
  const resting = items.filter(item =>
    as<Pod>(item).status?.containerStatuses?.some(c => c.state?.waiting?.reason === 'CrashLoopBackOff'),
  )
  if (resting.length > 0) tell('etcd is ready: restarting the pods of the API server')
  for (const { metadata } of resting) {
    await api.deleteAll(kind, { namespace, fields: `metadata.name=${metadata.name}`, signal })
  }
}
