import type { ControlPlane } from '../kube/control-plane.ts'
import { create, update } from '../kube/controllers/host.ts'
import { copy, type Json, type KubeObject, same } from '../kube/object.ts'
import { bootstrapIds, executionNamespace, finalizers, managedLabel, shortHash } from './names.ts'

export interface WantedWork {
  cluster: string
  /** The object for the member, before Karmada adds its own marks. */
  manifest: KubeObject
  labels?: Record<string, string>
  annotations?: Record<string, string>
  conflictResolution?: 'abort' | 'overwrite'
  preserveResourcesOnDeletion?: boolean | undefined
}

export const workName = ({ kind, metadata }: KubeObject): string =>
  `${metadata.name.replaceAll(':', '.')}-${shortHash(`${metadata.namespace ?? ''}/${kind}/${metadata.name}`)}`

/** A template for members: without the metadata of the Karmada API. */
export function bare(template: KubeObject): KubeObject {
  const { name, namespace, labels, annotations } = template.metadata
  const { status, ...rest } = copy(template)
  return {
    ...rest,
    apiVersion: template.apiVersion,
    kind: template.kind,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
  }
}

/** Makes the Work, or rewrites its complete spec if it differs. Changes by other writers are lost, as in the real one. */
export async function ensureWork(
  plane: ControlPlane,
  wanted: WantedWork,
  admit: (object: KubeObject) => Promise<KubeObject>,
): Promise<void> {
  const namespace = executionNamespace(wanted.cluster)
  const space = plane.store.get('namespaces', undefined, namespace)
  if (!space || space.metadata.deletionTimestamp) return
  const name = workName(wanted.manifest)
  const found = plane.store.get(bootstrapIds.works, namespace, name)
  if (found?.metadata.deletionTimestamp) return
  const work: KubeObject = found ?? (await admit(emptyWork(wanted, namespace, name)))
  const id = work.metadata.labels?.['work.karmada.io/permanent-id'] ?? ''
  const spec = specOf(wanted, namespace, name, id)
  if (!found) {
    if (!plane.store.get(bootstrapIds.works, namespace, name)) create(plane, bootstrapIds.works, { ...work, spec })
  } else if (!same(found.spec, spec)) update(plane, bootstrapIds.works, { ...found, spec })
}

function emptyWork(wanted: WantedWork, namespace: string, name: string): KubeObject {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      name,
      namespace,
      finalizers: [finalizers.work],
      ...(wanted.labels ? { labels: wanted.labels } : {}),
      ...(wanted.annotations ? { annotations: wanted.annotations } : {}),
    },
    spec: { workload: { manifests: [] } },
  }
}

function specOf(wanted: WantedWork, namespace: string, name: string, id: string): Json {
  const manifest = copy(wanted.manifest)
  manifest.metadata.labels = {
    ...manifest.metadata.labels,
    ...wanted.labels,
    [managedLabel]: 'true',
    ...(id ? { 'work.karmada.io/permanent-id': id } : {}),
  }
  manifest.metadata.annotations = {
    ...manifest.metadata.annotations,
    ...wanted.annotations,
    'work.karmada.io/name': name,
    'work.karmada.io/namespace': namespace,
    'work.karmada.io/conflict-resolution': wanted.conflictResolution ?? 'abort',
  }
  return {
    workload: { manifests: [manifest] },
    ...(wanted.preserveResourcesOnDeletion ? { preserveResourcesOnDeletion: true } : {}),
  }
}
