/** The API server gives up after half a minute without etcd, and is started again ever more seldom: no fault of its own. */

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

/** Others come in place of those of its pods that would only be started again at the end of their back-off. */
export async function startAnew(name: ComponentName, site: Site, { api, signal, tell }: Tools): Promise<void> {
  const labels = labelSelector({ ...site.labels, ...selector(name) })
  const { namespace } = site
  const kind = { apiVersion: 'v1', kind: 'Pod' }
  const { items } = await api.list(kind, { namespace, labels, signal })
  const resting = items.filter(item =>
    as<Pod>(item).status?.containerStatuses?.some(c => c.state?.waiting?.reason === 'CrashLoopBackOff'),
  )
  if (resting.length > 0) tell('etcd is ready: its pods are started anew')
  for (const { metadata } of resting) {
    await api.deleteAll(kind, { namespace, fields: `metadata.name=${metadata.name}`, signal })
  }
}
