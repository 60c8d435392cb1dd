/** Changes the storage of an etcd that has not started yet: as long as no claim is bound, there is no data to lose. */
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { type KubeObject, type ObjectRef, refOf } from '../../../kube/api/object.ts'
import { labelSelector } from '../../../kube/api/selector.ts'
import { as, type StatefulSet } from '../../../kube/api/typed.ts'
import type { Tools } from '../../../plan/step.ts'
import { selector } from '../templates/pod.ts'
import type { Site } from '../templates/site.ts'

const storageOptions = ['storage', 'storage-class', 'storage-size']

/**
 * The options, of those given, that can still be changed.
 * @param site with its current settings, not the new ones
 */
export async function changeableOptions(
  site: Site,
  host: ClusterApi,
  options: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (site.settings.storage === 'emptydir') return (await hasStarted(site, host, signal)) ? [] : keptInPod(options)
  const ofStorage = options.filter(option => storageOptions.includes(option))
  if (ofStorage.length === 0) return []
  return (await claimsOf(site, host, signal)).some(isBound) ? [] : ofStorage
}

/** The options whose change replaces etcd's pod, and with it the data that the pod contains. */
const keptInPod = (options: readonly string[]) =>
  options.filter(option => ['resources', 'requests', 'limits', 'priority-class', 'etcd-user'].includes(option))

async function hasStarted({ namespace }: Site, host: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const etcd = await host.get({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace }, { signal })
  return etcd !== undefined && (as<StatefulSet>(etcd).status?.readyReplicas ?? 0) > 0
}

const isBound = (claim: KubeObject): boolean =>
  claim.status?.phase === 'Bound' || Boolean((claim.spec as { volumeName?: string } | undefined)?.volumeName)

async function claimsOf({ namespace, labels }: Site, host: ClusterApi, signal: AbortSignal): Promise<KubeObject[]> {
  const ours = labelSelector({ ...labels, ...selector('etcd') })
  const kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }
  return (await host.list(kind, { namespace, labels: ours, signal })).items
}

/** The objects to delete before `wanted` can be applied: neither claims nor the volume templates of a StatefulSet can be changed. */
export async function toReplace(
  site: Site,
  live: KubeObject | undefined,
  wanted: KubeObject | undefined,
  { api, signal }: Tools,
): Promise<ObjectRef[]> {
  if (!live || !wanted || sameStorage(as<StatefulSet>(live), as<StatefulSet>(wanted))) return []
  const claims = await claimsOf(site, api, signal)
  if (claims.some(isBound)) return []
  return [refOf(live), ...claims.map(refOf)]
}

function sameStorage(live: StatefulSet, wanted: StatefulSet): boolean {
  const of = ({ spec }: StatefulSet) => spec?.volumeClaimTemplates?.[0]?.spec
  const [has, wants] = [of(live), of(wanted)]
  if (!has || !wants) return !has && !wants
  return (
    wants.storageClassName === has.storageClassName &&
    wants.resources?.requests?.storage === has.resources?.requests?.storage
  )
}
