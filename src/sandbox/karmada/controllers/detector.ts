import { type Controller, create, keyedUpdate } from '../../kube/controllers/host.ts'
import { type Json, type KubeObject, same } from '../../kube/object.ts'
import { idOf } from '../../kube/resource-types.ts'
import { matchesLabelSelector } from '../../kube/selectors.ts'
import { admitOwn } from '../admit-own.ts'
import { bootstrapIds, finalizers, isReservedNamespace } from '../names.ts'

/** Finds the policy for each template, and makes the binding for its members. */
export const detector: Controller = ({ plane, watch, queue }) => {
  const policyIds: string[] = [bootstrapIds.policies, bootstrapIds.clusterPolicies]
  const enqueue = queue(async key => {
    const [id = '', place = '', name = ''] = key.split(' ')
    const template = plane.store.get(id, place || undefined, name)
    if (!template || template.metadata.deletionTimestamp) return
    const policy = policyFor(template)
    if (!policy) return
    const inNamespace = policy.metadata.namespace !== undefined
    const kind = inNamespace ? 'propagationpolicy' : 'clusterpropagationpolicy'
    const permanentId = `${kind}.karmada.io/permanent-id`
    const labels = { [permanentId]: policy.metadata.labels?.[permanentId] ?? '' }
    const annotations = {
      [`${kind}.karmada.io/name`]: policy.metadata.name,
      ...(inNamespace ? { [`${kind}.karmada.io/namespace`]: policy.metadata.namespace as string } : {}),
    }
    keyedUpdate(plane, id, template, { labels, annotations })
    const current = plane.store.get(id, place || undefined, name) as KubeObject
    await ensureBinding(current, policy, labels, annotations)
  })

  function policyFor(template: KubeObject): KubeObject | undefined {
    const { namespace } = template.metadata
    const own = namespace ? plane.store.list(bootstrapIds.policies, namespace) : []
    const all = [...own, ...plane.store.list(bootstrapIds.clusterPolicies)]
    return all.find(
      p => !p.metadata.deletionTimestamp && (p.spec.resourceSelectors ?? []).some((s: Json) => selects(s, template)),
    )
  }

  async function ensureBinding(
    template: KubeObject,
    policy: KubeObject,
    labels: Json,
    annotations: Json,
  ): Promise<void> {
    const { namespace, uid } = template.metadata
    const id = namespace ? bootstrapIds.bindings : bootstrapIds.clusterBindings
    const name = `${template.metadata.name.replaceAll(':', '.')}-${template.kind.toLowerCase()}`
    const found = plane.store.get(id, namespace, name)
    const replicas =
      template.kind === 'Deployment' || template.kind === 'StatefulSet' ? template.spec.replicas : undefined
    const spec = {
      ...found?.spec,
      resource: {
        apiVersion: template.apiVersion,
        kind: template.kind,
        ...(namespace ? { namespace } : {}),
        name: template.metadata.name,
        uid,
        resourceVersion:
          template.metadata.generation !== undefined
            ? String(template.metadata.generation)
            : template.metadata.resourceVersion,
      },
      ...(replicas === undefined ? {} : { replicas }),
      placement: policy.spec.placement,
      conflictResolution: policy.spec.conflictResolution ?? 'Abort',
      ...(policy.spec.preserveResourcesOnDeletion ? { preserveResourcesOnDeletion: true } : {}),
    }
    if (!policy.spec.preserveResourcesOnDeletion) delete spec.preserveResourcesOnDeletion
    if (found) {
      if (!found.metadata.deletionTimestamp && !same(found.spec, spec)) keyedUpdate(plane, id, found, {}, { spec })
      return
    }
    const owner = {
      apiVersion: template.apiVersion,
      kind: template.kind,
      name: template.metadata.name,
      uid: uid as string,
    }
    const binding = await admitOwn(
      plane,
      id,
    )({
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
      metadata: {
        name,
        ...(namespace ? { namespace } : {}),
        labels,
        annotations,
        finalizers: [finalizers.binding],
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec,
    })
    if (!plane.store.get(id, namespace, name)) create(plane, id, binding)
  }

  const isTemplate = (id: string, object: KubeObject) =>
    !/(karmada\.io|apiregistration\.k8s\.io|apiextensions\.k8s\.io|coordination\.k8s\.io|events)$/.test(id) &&
    id !== 'namespaces' &&
    !(
      object.metadata.namespace &&
      isReservedNamespace(object.metadata.namespace) &&
      object.metadata.namespace !== 'default'
    )

  watch('*', ({ type, id, object, previous }) => {
    if (type === 'DELETED') return
    if (policyIds.includes(id)) return all()
    if (!isTemplate(id, object)) return
    const onlyStatus = previous && same({ ...previous, status: 0, metadata: 0 }, { ...object, status: 0, metadata: 0 })
    if (!onlyStatus) enqueue(`${id} ${object.metadata.namespace ?? ''} ${object.metadata.name}`)
  })

  function all(): void {
    for (const policy of policyIds.flatMap(id => plane.store.list(id))) {
      for (const selector of policy.spec?.resourceSelectors ?? []) {
        const type = plane.types.ofObject(selector)
        if (!type) continue
        for (const object of plane.store.list(idOf(type), policy.metadata.namespace)) {
          if (selects(selector, object))
            enqueue(`${idOf(type)} ${object.metadata.namespace ?? ''} ${object.metadata.name}`)
        }
      }
    }
  }
}

function selects(selector: Json, { apiVersion, kind, metadata }: KubeObject): boolean {
  if (selector.apiVersion !== apiVersion || selector.kind !== kind) return false
  if (selector.namespace && selector.namespace !== metadata.namespace) return false
  if (selector.name) return selector.name === metadata.name
  return !selector.labelSelector || matchesLabelSelector(selector.labelSelector, metadata.labels)
}
