import { now } from '../control-plane.ts'
import type { Json, KubeObject } from '../object.ts'
import { definitionCleanup, deleteObject, updateObject } from '../objects.ts'
import { typesOfCrd } from '../resource-types.ts'
import { withCondition } from './conditions.ts'
import { type Controller, setStatus, typeOf } from './host.ts'

const crds = 'customresourcedefinitions.apiextensions.k8s.io'
const apiServices = 'apiservices.apiregistration.k8s.io'

/** Serves the resources of CustomResourceDefinitions, from shortly after their creation until their last object is gone. */
export const crdController: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(name => {
    const crd = plane.store.get(crds, undefined, name)
    if (!crd) return
    if (crd.metadata.deletionTimestamp) return empty(crd)
    for (const type of typesOfCrd(crd)) plane.types.add(type)
    const time = now(plane)
    const base = crd.status?.conditions
    const accepted = {
      type: 'NamesAccepted',
      status: 'True' as const,
      reason: 'NoConflicts',
      message: 'no conflicts found',
    }
    const established = {
      type: 'Established',
      status: 'True' as const,
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    }
    const versions = crd.spec.versions.filter((v: Json) => v.storage).map((v: Json) => v.name)
    setStatus(plane, crds, crd, {
      conditions: withCondition(withCondition(base, accepted, time), established, time),
      acceptedNames: crd.spec.names,
      storedVersions: [...new Set([...(crd.status?.storedVersions ?? []), ...versions])],
    })
  })

  function empty(crd: KubeObject) {
    const id = crd.metadata.name // plural.group, which is also the store's key
    const type = plane.types.byId(id)
    if (type) {
      for (const object of plane.store.list(id))
        deleteObject(plane, type, object.metadata.namespace, object.metadata.name)
    }
    if (plane.store.list(id).length > 0) return enqueue(crd.metadata.name, 50)
    plane.types.removeId(id)
    const finalizers = (crd.metadata.finalizers ?? []).filter(f => f !== definitionCleanup)
    if (plane.store.get(crds, undefined, id)) {
      updateObject(plane, typeOf(plane, crds), { ...crd, metadata: { ...crd.metadata, finalizers } })
    }
  }

  watch(crds, ({ type, object }) => {
    if (type === 'DELETED') plane.types.removeId(object.metadata.name)
    else enqueue(object.metadata.name)
  })
}

/** The state of the Service that an APIService names. */
export type AggregationProbe = (apiService: KubeObject) => { available: boolean; reason: string; message: string }

/** Sets the availability of each APIService. `probe` checks the servers behind this control plane's Services. */
export const apiServiceController =
  (probe: AggregationProbe, recheck: (onChange: () => void) => () => void = () => () => {}): Controller =>
  ({ plane, watch, queue, onStop }) => {
    const enqueue = queue(name => {
      const found = plane.store.get(apiServices, undefined, name)
      if (!found) return
      const result = found.spec.service
        ? probe(found)
        : { available: true, reason: 'Local', message: 'Local APIServices are always available' }
      const status = result.available ? ('True' as const) : ('False' as const)
      const condition = { type: 'Available', status, reason: result.reason, message: result.message }
      setStatus(plane, apiServices, found, {
        ...found.status,
        conditions: withCondition(found.status?.conditions, condition, now(plane)),
      })
    })
    const all = () => {
      for (const found of plane.store.list(apiServices)) if (found.spec.service) enqueue(found.metadata.name)
    }
    watch(apiServices, ({ type, object, previous }) => {
      if (type === 'ADDED' || (type === 'MODIFIED' && previous?.spec !== object.spec)) enqueue(object.metadata.name)
    })
    watch('services', all)
    onStop(recheck(all))
  }

/** For a cluster without aggregated servers: the condition of an APIService whose Service has no endpoints. */
export const noAggregation =
  (getService: (namespace: string, name: string) => KubeObject | undefined): AggregationProbe =>
  apiService => {
    const { name, namespace } = apiService.spec.service
    if (!getService(namespace, name)) {
      const message = `service/${name} in "${namespace}" is not present`
      return { available: false, reason: 'ServiceNotFound', message }
    }
    const message = `endpoints for service/${name} in "${namespace}" have no addresses with port name "https"`
    return { available: false, reason: 'MissingEndpoints', message }
  }
