import type { ControlPlane } from '../control-plane.ts'
import { type Cause, invalidValue, requiredValue } from '../failure.ts'
import type { Json, KubeObject } from '../object.ts'
import { defaults, type KindRules } from './rules.ts'

const exposes = (type: string) => type === 'NodePort' || type === 'LoadBalancer'

function usedNodePorts(plane: ControlPlane, except: KubeObject): Set<number> {
  const used = new Set<number>()
  for (const service of plane.store.list('services')) {
    if (service.metadata.uid === except.metadata.uid) continue
    for (const port of service.spec.ports ?? []) if (port.nodePort) used.add(port.nodePort)
  }
  return used
}

function allocateClusterIp(plane: ControlPlane): string {
  const used = new Set(plane.store.list('services').map(service => service.spec.clusterIP))
  for (let n = 10; ; n++) {
    const address = `${plane.allocations.servicePrefix}.${Math.floor(n / 250)}.${(n % 250) + 1}`
    if (!used.has(address)) return address
  }
}

export const serviceRules: KindRules = {
  prepare(object, old, plane) {
    object.spec ??= {}
    const { spec } = object
    defaults(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
    object.status ??= { loadBalancer: {} }
    for (const port of spec.ports ?? []) defaults(port, { protocol: 'TCP', targetPort: port.port })
    if (spec.type === 'ExternalName') {
      delete spec.clusterIP
      delete spec.clusterIPs
      return
    }
    defaults(spec, { internalTrafficPolicy: 'Cluster', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' })
    // an update keeps the addresses, even if the client does not send them
    if (!spec.clusterIP) spec.clusterIP = old?.spec.clusterIP ?? allocateClusterIp(plane)
    spec.clusterIPs = [spec.clusterIP]
    if (spec.type === 'LoadBalancer') defaults(spec, { allocateLoadBalancerNodePorts: true })
    if (!exposes(spec.type)) {
      for (const port of spec.ports ?? []) delete port.nodePort
      delete spec.externalTrafficPolicy
      delete spec.allocateLoadBalancerNodePorts
      if (old && exposes(old.spec.type)) object.status = { loadBalancer: {} }
      return
    }
    if (spec.type === 'NodePort') delete spec.allocateLoadBalancerNodePorts
    defaults(spec, { externalTrafficPolicy: 'Cluster' })
    allocateNodePorts(object, old, plane)
  },
  validate(object, old, plane) {
    const { spec } = object
    const causes: Cause[] = []
    if (!['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'].includes(spec.type)) {
      causes.push({
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: ${JSON.stringify(spec.type)}: supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"`,
        field: 'spec.type',
      })
    }
    if (spec.type === 'ExternalName') {
      if (!spec.externalName) causes.push(requiredValue('spec.externalName'))
    } else if (!spec.ports?.length && spec.clusterIP !== 'None') causes.push(requiredValue('spec.ports'))
    causes.push(...nodePortProblems(object, plane))
    if (old?.spec.clusterIP && spec.clusterIP !== old.spec.clusterIP && spec.type !== 'ExternalName') {
      causes.push(invalidValue('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set'))
    }
    return causes
  },
}

function allocateNodePorts(object: KubeObject, old: KubeObject | undefined, plane: ControlPlane): void {
  const used = usedNodePorts(plane, object)
  const [first, last] = plane.allocations.nodePorts
  for (const port of object.spec.ports ?? []) {
    if (port.nodePort) continue
    const before = (old?.spec.ports ?? []).find((p: Json) => p.port === port.port && p.protocol === port.protocol)
    let free = before?.nodePort
    // searches from a random place, like the real allocator, so that parallel sandboxes rarely collide
    for (let n = first + Math.floor(Math.random() * (last - first)); !free; n = n >= last ? first : n + 1) {
      if (!used.has(n)) free = n
    }
    port.nodePort = free
    used.add(free)
  }
}

function nodePortProblems(object: KubeObject, plane: ControlPlane): Cause[] {
  const [first, last] = plane.allocations.nodePorts
  const used = usedNodePorts(plane, object)
  const causes: Cause[] = []
  ;(object.spec.ports ?? []).forEach((port: Json, i: number) => {
    if (port.nodePort === undefined) return
    const field = `spec.ports[${i}].nodePort`
    if (port.nodePort < first || port.nodePort > last) {
      const why = `provided port is not in the valid range. The range of valid ports is ${first}-${last}`
      causes.push(invalidValue(field, port.nodePort, why))
    } else if (used.has(port.nodePort)) {
      causes.push(invalidValue(field, port.nodePort, 'provided port is already allocated'))
    }
  })
  return causes
}
