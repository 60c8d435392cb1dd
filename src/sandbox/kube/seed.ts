import { type ControlPlane, now } from './control-plane.ts'
import { create, setStatus } from './controllers/host.ts'
import type { Json, KubeObject } from './object.ts'

export interface NodeSeed {
  name: string
  address: string
}

/** Adds the nodes of a cluster. */
export function seedNodes(plane: ControlPlane, nodes: NodeSeed[]): void {
  for (const { name, address } of nodes) {
    const node = create(plane, 'nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          'beta.kubernetes.io/os': 'linux',
          'beta.kubernetes.io/arch': 'amd64',
        },
      },
      spec: {},
    })
    const time = now(plane)
    const resources = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100Gi' }
    setStatus(plane, 'nodes', node, {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      capacity: resources,
      allocatable: resources,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
          lastHeartbeatTime: time,
          lastTransitionTime: time,
        },
      ],
      nodeInfo: {
        kubeletVersion: plane.version.gitVersion,
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'coe sandbox (a simulation)',
        containerRuntimeVersion: 'sandbox://1.0',
      },
    })
  }
}

export function seedStorageClass(plane: ControlPlane, name: string): void {
  create(plane, 'storageclasses.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'sandbox.coe/volume',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  })
}

const unreachable = 'node.kubernetes.io/unreachable'

/** Whether a node is reported as having lost its power, which takes some time. */
export const isTurnedOff = (node: KubeObject | undefined): boolean =>
  (node?.status?.conditions ?? []).some((c: Json) => c.type === 'Ready' && c.reason === 'NodeStatusUnknown')

/** Turns the power of a node off or on. Without power nothing on it runs, and its address does not answer. */
export function turnNode(plane: ControlPlane, name: string, to: 'off' | 'on'): void {
  const node = plane.store.get('nodes', undefined, name)
  if (!node) throw new Error(`the cluster has no node ${name}`)
  const spec = { ...node.spec, taints: to === 'off' ? [{ key: unreachable, effect: 'NoSchedule' }] : [] }
  plane.store.put('nodes', { ...node, spec })
  const current = plane.store.get('nodes', undefined, name) as KubeObject
  const ready =
    to === 'on'
      ? { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }
  const conditions = (current.status?.conditions ?? []).map((c: Json) => (c.type === 'Ready' ? { ...c, ...ready } : c))
  setStatus(plane, 'nodes', current, { ...current.status, conditions })
}
