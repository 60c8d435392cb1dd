import { type ControlPlane, now } from './control-plane.ts'
import { create, setStatus } from './controllers/host.ts'

export interface NodeSeed {
  name: string
  address: string
}

/** The machines of a cluster. */
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
