import type { ControlPlane } from '../control-plane.ts'
import type { Json, KubeObject } from '../object.ts'
import { same } from '../object.ts'
import { recordEvent } from './events.ts'
import { byKey, type Controller, create, objectKey, ownedBy, remove, setStatus } from './host.ts'
import { podIsReady } from './pods.ts'

const matches = (selector: Record<string, string>, labels: Record<string, string> = {}) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value)

/** The pods behind a Service. */
export function podsOf(plane: ControlPlane, service: KubeObject): KubeObject[] {
  const { selector } = service.spec
  if (!selector || Object.keys(selector).length === 0) return []
  return plane.store
    .list('pods', service.metadata.namespace)
    .filter(pod => matches(selector, pod.metadata.labels) && pod.status?.podIP && !pod.metadata.deletionTimestamp)
}

/** Keeps Endpoints and EndpointSlices in step with the pods of the Services. */
export const endpointsController: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(key => {
    const service = byKey(plane, 'services', key)
    if (!service?.spec.selector || service.metadata.deletionTimestamp) return
    const { name, namespace } = service.metadata
    const pods = podsOf(plane, service)
    const ports = (service.spec.ports ?? []).map((p: Json) => ({
      ...(p.name ? { name: p.name } : {}),
      port: typeof p.targetPort === 'number' ? p.targetPort : (namedPort(pods[0], p.targetPort) ?? p.port),
      protocol: p.protocol,
    }))
    const address = (pod: KubeObject) => ({
      ip: pod.status.podIP,
      nodeName: pod.spec.nodeName,
      targetRef: { kind: 'Pod', namespace, name: pod.metadata.name, uid: pod.metadata.uid },
    })
    const [ready, waiting] = [
      pods.filter(p => podIsReady(p) || service.spec.publishNotReadyAddresses),
      pods.filter(p => !podIsReady(p) && !service.spec.publishNotReadyAddresses),
    ]
    const subset = {
      ...(ready.length ? { addresses: ready.map(address) } : {}),
      ...(waiting.length ? { notReadyAddresses: waiting.map(address) } : {}),
      ports,
    }
    write('endpoints', name, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name,
        namespace: namespace as string,
        ...(service.metadata.labels ? { labels: service.metadata.labels } : {}),
      },
      subsets: pods.length ? [subset] : [],
    })
    write('endpointslices.discovery.k8s.io', `${name}-slice`, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: `${name}-slice`,
        namespace: namespace as string,
        labels: { ...service.metadata.labels, 'kubernetes.io/service-name': name },
        ownerReferences: [ownedBy(service)],
      },
      addressType: 'IPv4',
      endpoints: pods.map(pod => ({
        addresses: [pod.status.podIP],
        conditions: { ready: ready.includes(pod), serving: podIsReady(pod), terminating: false },
        nodeName: pod.spec.nodeName,
        targetRef: address(pod).targetRef,
      })),
      ports,
    })
    function write(id: string, objectName: string, wanted: KubeObject) {
      const found = plane.store.get(id, namespace, objectName)
      if (!found) create(plane, id, wanted)
      else if (!same({ ...found, metadata: 0 }, { ...wanted, metadata: 0 }))
        plane.store.put(id, { ...wanted, metadata: found.metadata })
    }
  })
  watch('services', ({ type, object }) => {
    if (type !== 'DELETED') return enqueue(objectKey(object))
    const found = plane.store.get('endpoints', object.metadata.namespace, object.metadata.name)
    if (found) remove(plane, 'endpoints', found)
  })
  watch('pods', ({ object }) => {
    for (const service of plane.store.list('services', object.metadata.namespace)) {
      if (service.spec.selector && matches(service.spec.selector, object.metadata.labels))
        enqueue(objectKey(service), 1)
    }
  })
}

function namedPort(pod: KubeObject | undefined, name: string): number | undefined {
  for (const container of pod?.spec.containers ?? []) {
    for (const port of container.ports ?? []) if (port.name === name) return port.containerPort
  }
  return undefined
}

/** The cloud provider's part: an address for each Service of type LoadBalancer. */
export const loadBalancerProvider =
  (takeAddress: () => string): Controller =>
  ({ plane, timings, watch, queue }) => {
    const enqueue = queue(key => {
      const service = byKey(plane, 'services', key)
      if (service?.spec.type !== 'LoadBalancer' || service.status?.loadBalancer?.ingress) return
      const ip = takeAddress()
      setStatus(plane, 'services', service, { loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] } })
      recordEvent(plane, service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer', 'service-controller')
    })
    watch('services', ({ type, object }) => {
      if (type === 'DELETED' || object.spec.type !== 'LoadBalancer' || object.status?.loadBalancer?.ingress) return
      recordEvent(plane, object, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer', 'service-controller')
      enqueue(objectKey(object), timings.loadBalancer)
    })
  }
