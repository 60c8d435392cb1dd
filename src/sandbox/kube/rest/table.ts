import type { Json, KubeObject } from '../object.ts'
import { idOf, type ResourceType } from '../resource-types.ts'

type Column = [name: string, cell: (object: KubeObject) => string | number]

const condition = (object: KubeObject, type: string): string =>
  object.status?.conditions?.find((c: Json) => c.type === type)?.status ?? 'Unknown'
const container = (pod: KubeObject): Json => pod.status?.containerStatuses?.[0]

/** kubectl's columns of a kind between name and age. */
const columns: Record<string, Column[]> = {
  namespaces: [['Status', o => o.status?.phase ?? '']],
  nodes: [
    ['Status', o => (condition(o, 'Ready') === 'True' ? 'Ready' : 'NotReady')],
    ['Version', o => o.status?.nodeInfo?.kubeletVersion ?? ''],
  ],
  pods: [
    ['Ready', o => `${container(o)?.ready ? 1 : 0}/${o.spec.containers.length}`],
    [
      'Status',
      o => (o.metadata.deletionTimestamp ? 'Terminating' : (container(o)?.state?.waiting?.reason ?? o.status?.phase)),
    ],
    ['Restarts', o => container(o)?.restartCount ?? 0],
  ],
  services: [
    ['Type', o => o.spec.type],
    ['Cluster-IP', o => o.spec.clusterIP ?? '<none>'],
    [
      'External-IP',
      o => o.status?.loadBalancer?.ingress?.[0]?.ip ?? (o.spec.type === 'LoadBalancer' ? '<pending>' : '<none>'),
    ],
    [
      'Port(s)',
      o =>
        (o.spec.ports ?? []).map((p: Json) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ''}/${p.protocol}`).join(','),
    ],
  ],
  'deployments.apps': [
    ['Ready', o => `${o.status?.readyReplicas ?? 0}/${o.spec.replicas}`],
    ['Up-to-date', o => o.status?.updatedReplicas ?? 0],
    ['Available', o => o.status?.availableReplicas ?? 0],
  ],
  'statefulsets.apps': [['Ready', o => `${o.status?.readyReplicas ?? 0}/${o.spec.replicas}`]],
  'clusters.cluster.karmada.io': [
    ['Version', o => o.status?.kubernetesVersion ?? ''],
    ['Mode', o => o.spec.syncMode],
    ['Ready', o => condition(o, 'Ready')],
  ],
}

function age(object: KubeObject, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(object.metadata.creationTimestamp ?? '')) / 1000))
  return seconds < 120
    ? `${seconds}s`
    : seconds < 7200
      ? `${Math.floor(seconds / 60)}m`
      : `${Math.floor(seconds / 3600)}h`
}

export const wantsTable = (accept: string | undefined): boolean => /as=Table/.test(accept ?? '')

/** The rows, which kubectl prints unchanged. */
export function tableOf(type: ResourceType, objects: KubeObject[], metadata: object, now: number): object {
  const between = columns[idOf(type)] ?? []
  const column = (name: string, more: object = {}) => ({
    name,
    type: 'string',
    format: '',
    description: name,
    priority: 0,
    ...more,
  })
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: [column('Name', { format: 'name' }), ...between.map(([name]) => column(name)), column('Age')],
    rows: objects.map(object => ({
      cells: [object.metadata.name, ...between.map(([, cell]) => cell(object)), age(object, now)],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  }
}
