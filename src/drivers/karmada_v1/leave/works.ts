/** What a federation has placed on a member: one Work for each object. Deleting a Work deletes the object, unless it is preserved. */
import { mapLimit } from '../../../core/concurrency.ts'
import { CoeError } from '../../../core/errors.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { conditionOf, type KubeObject, type ObjectRef, refOf, refText } from '../../../kube/api/object.ts'
import type { MemberHoldings } from '../../driver-api.ts'
import { executionNamespace } from '../names.ts'
import { impersonator } from '../templates/member.ts'

export const workKind = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' }

export interface WorkItem {
  work: ObjectRef
  /** The Work is already marked: its objects stay on the member. */
  preserved: boolean
  /** The Work has a finalizer, so it is gone only when its controller has finished. */
  held: boolean
  /** The member already had an object of that name, which Karmada did not change. */
  declined?: boolean
  /** The Work contains the roles by which users act on the member through the federation. They are always deleted. */
  ofFederation: boolean
  objects: ObjectRef[]
}

export async function listWorks(api: ClusterApi, member: string, signal?: AbortSignal): Promise<WorkItem[]> {
  const { items } = await api.list(workKind, { namespace: executionNamespace(member), signal })
  return items.map(workItem)
}

export function workItem(work: KubeObject): WorkItem {
  const manifests = (work.spec?.workload?.manifests ?? []) as KubeObject[]
  return {
    work: { ...workKind, name: work.metadata.name ?? '', namespace: work.metadata.namespace },
    preserved: work.spec?.preserveResourcesOnDeletion === true,
    held: (work.metadata.finalizers ?? []).length > 0,
    declined: wasDeclined(work),
    ofFederation: manifests.some(m => m.metadata.name === impersonator && m.kind.startsWith('ClusterRole')),
    objects: manifests.map(refOf),
  }
}

function wasDeclined(work: KubeObject): boolean {
  const applied = conditionOf(work, 'Applied')
  return applied?.status === 'False' && /already exists in the cluster/.test(applied.message ?? '')
}

/** The names to show to the user before the objects are deleted. */
export function holdingsOf(items: readonly WorkItem[]): MemberHoldings {
  const objects = items.filter(item => !item.ofFederation).flatMap(item => item.objects)
  const isNamespace = (object: ObjectRef) => object.kind === 'Namespace'
  return {
    workloads: objects.filter(object => !isNamespace(object)).map(refText),
    namespaces: objects.filter(isNamespace).map(object => object.name),
  }
}

const sideBySide = 8

/** Marks Works to preserve their objects. Controllers may overwrite the mark, so the caller watches the Works. */
export async function preserve(api: ClusterApi, items: readonly WorkItem[], signal: AbortSignal): Promise<void> {
  const patch = { spec: { preserveResourcesOnDeletion: true } }
  await mapLimit(items, sideBySide, item => patchIfThere(api, item.work, patch, signal))
}

/** Removes the finalizers of Works that no controller can finish: the member does not answer, or the object is not the federation's. */
export async function release(api: ClusterApi, items: readonly WorkItem[], signal: AbortSignal): Promise<void> {
  const patch = { metadata: { finalizers: null } }
  await mapLimit(
    items.filter(item => item.held),
    sideBySide,
    item => patchIfThere(api, item.work, patch, signal),
  )
}

/** Undefined if the object does not exist. */
export async function patchIfThere(
  api: ClusterApi,
  ref: ObjectRef,
  patch: object,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await api.patch(ref, patch, { type: 'merge', signal })
  } catch (error) {
    if (error instanceof CoeError && error.outcome === 'notFound') return undefined
    throw error
  }
}
