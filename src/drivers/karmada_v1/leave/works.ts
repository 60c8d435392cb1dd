/** What a federation has put on a member: one Work for each object, which deletes it there when it goes, unless told to keep it. */
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
  /** It says already that what it put there stays. */
  preserved: boolean
  /** It has a finalizer on it, so that it goes only when its controller says so. */
  held: boolean
  /** The member had an object of that name before, and the engine left it alone: nothing of the federation is there. */
  declined?: boolean
  /** The roles by which users act on the member through the federation: they go with the membership, always. */
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

/** Names, for a person to see before they go. */
export function holdingsOf(items: readonly WorkItem[]): MemberHoldings {
  const objects = items.filter(item => !item.ofFederation).flatMap(item => item.objects)
  const isNamespace = (object: ObjectRef) => object.kind === 'Namespace'
  return {
    workloads: objects.filter(object => !isNamespace(object)).map(refText),
    namespaces: objects.filter(isNamespace).map(object => object.name),
  }
}

const sideBySide = 8

/** Controllers write a Work's whole spec when they look again: this holds until then, and is looked after. */
export async function preserve(api: ClusterApi, items: readonly WorkItem[], signal: AbortSignal): Promise<void> {
  const patch = { spec: { preserveResourcesOnDeletion: true } }
  await mapLimit(items, sideBySide, item => patchIfThere(api, item.work, patch, signal))
}

/** Lets go of Works whose controller cannot end them: the member does not answer, or the object there is somebody else's. */
export async function release(api: ClusterApi, items: readonly WorkItem[], signal: AbortSignal): Promise<void> {
  const patch = { metadata: { finalizers: null } }
  await mapLimit(
    items.filter(item => item.held),
    sideBySide,
    item => patchIfThere(api, item.work, patch, signal),
  )
}

/** Undefined when it is not there (any more). */
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
