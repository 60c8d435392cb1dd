/** Checks the host of a federation before anything is written there. */
import { awaitAll } from '../../../core/concurrency.ts'
import { kubectlStep, standaloneStep } from '../../../core/next-step.ts'
import { someOf } from '../../../core/text.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { isTrue, type KubeObject } from '../../../kube/api/object.ts'
import { as, type Node, type Service } from '../../../kube/api/typed.ts'
import type { Finding } from '../../driver-api.ts'
import { serves } from '../nodes-not-ready.ts'
import { clusterKind } from '../templates/membership.ts'
import type { Site } from '../templates/site.ts'
import { replicas } from '../templates/workload.ts'
import { nodeAddresses } from './address.ts'

export async function preflight(site: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { items } = await host.list({ apiVersion: 'v1', kind: 'Node' }, { signal })
  if (items.length === 0 && (await host.serves(clusterKind, { signal }))) {
    return error(
      'federation-api',
      'this is the API of a federation, not a cluster: it has no nodes that could run another federation',
      'use the context of a cluster',
      [standaloneStep('list them', 'cluster list')],
    )
  }
  const found = await awaitAll([
    version(host, signal),
    storage(site, host, signal),
    nodes(site, items, host, signal),
    exposure(site, host, items, signal),
    security(site, host, signal),
    priority(site, host, signal),
  ])
  return found.flat()
}

const error = (id: string, message: string, hint?: string, next?: Finding['next']): Finding[] => [
  { id, level: 'error', message, ...(hint ? { hint } : {}), ...(next ? { next } : {}) },
]
const warning = (id: string, message: string, hint?: string): Finding[] => [
  { id, level: 'warning', message, ...(hint ? { hint } : {}) },
]

/** The first release with startup probes and policy/v1. */
const oldestMinor = 21

async function version(host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { major, minor, gitVersion } = await host.version({ signal })
  if (Number(major) > 1 || Number.parseInt(minor, 10) >= oldestMinor) return []
  return error('version', `the host runs Kubernetes ${gitVersion}, but needs at least 1.${oldestMinor}`)
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

async function storage({ settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  if (settings.storage === 'emptydir') {
    return warning('storage', 'with --storage emptydir the federation loses all data when its etcd pod moves or ends')
  }
  const { items } = await host.list({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' }, { signal })
  const names = items.map(item => item.metadata.name ?? '')
  if (settings.storageClass) {
    if (names.includes(settings.storageClass)) return []
    return error('storage', `the host has no StorageClass "${settings.storageClass}"`, classes(names))
  }
  if (items.some(item => item.metadata.annotations?.[defaultClass] === 'true')) return []
  return error('storage', 'the host has no default StorageClass for the volume of etcd', classes(names))
}

const classes = (names: readonly string[]): string =>
  names.length
    ? `select one with --storage-class: ${someOf(names)}`
    : 'it has no StorageClass at all; --storage emptydir needs none, but loses all data with the pod'

async function nodes(
  plane: Site,
  items: readonly KubeObject[],
  host: ClusterApi,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { settings } = plane
  const all = items.map(item => as<Node>(item))
  const usable = items.filter((item, i) => isTrue(item, 'Ready') && fits(all[i] as Node, site(settings)))
  const wanted = replicas('etcd', settings.ha)
  const findings: Finding[] = []
  if (usable.length < wanted) {
    const problem = settings.ha
      ? `--ha needs ${wanted} Ready nodes that take pods, but the host has ${usable.length} (of ${items.length} nodes)`
      : `the host has no Ready node that takes pods (${usable.length} of ${items.length})`
    // a working federation can still be inspected and changed while a node is down
    const find = settings.ha && (await serves(plane, host, signal)) ? warning : error
    findings.push(
      ...find(
        'nodes',
        problem,
        Object.keys(settings.nodeSelector).length
          ? 'only nodes that match --node-selector count; use --toleration for tainted nodes'
          : 'use --toleration for tainted nodes',
      ),
    )
  }
  const foreign = usable.filter(
    item => !['amd64', 'arm64'].includes(as<Node>(item).status?.nodeInfo?.architecture ?? 'amd64'),
  )
  if (foreign.length && foreign.length === usable.length) {
    findings.push(
      ...error('architecture', 'Karmada has images for amd64 and arm64, but no node of the host has such a processor'),
    )
  }
  if (settings.expose === 'nodeport' && !settings.advertiseAddress && nodeAddresses(all).length === 0) {
    findings.push(...error('address', 'no node of the host reports an address', 'set one with --advertise-address'))
  }
  return findings
}

const site = (settings: Site['settings']) => ({ tolerations: settings.tolerations, selector: settings.nodeSelector })

/** Whether the scheduler would place the pods on this node, by its taints and labels. */
function fits(node: Node, { tolerations, selector }: ReturnType<typeof site>): boolean {
  if (node.spec?.unschedulable) return false
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(selector).every(([key, value]) => labels[key] === value)) return false
  const repelling = (node.spec?.taints ?? []).filter(taint => taint.effect !== 'PreferNoSchedule')
  return repelling.every(taint =>
    tolerations.some(
      t =>
        (t.key === undefined || t.key === taint.key) &&
        (t.effect === undefined || t.effect === taint.effect) &&
        (t.operator === 'Exists' || t.value === (taint.value ?? '')),
    ),
  )
}

async function exposure(
  { settings, namespace }: Site,
  host: ClusterApi,
  nodes: readonly KubeObject[],
  signal: AbortSignal,
): Promise<Finding[]> {
  if (settings.expose === 'nodeport' && !settings.apiPort) return []
  const { items } = await host.list({ apiVersion: 'v1', kind: 'Service' }, { signal })
  const others = items.map(item => as<Service>(item))
  if (settings.expose === 'nodeport') {
    const holder = items.find(
      (item, i) =>
        others[i]?.spec?.ports?.some(port => port.nodePort === settings.apiPort) &&
        item.metadata.namespace !== namespace,
    )
    if (!holder) return usualPort(settings.apiPort)
    const { namespace: place, name } = holder.metadata
    return error(
      'port',
      `node port ${settings.apiPort} of the host belongs to Service ${place}/${name}`,
      'use another --api-port, or none to get a free one',
    )
  }
  const balanced = others.some(service => (service.status?.loadBalancer?.ingress ?? []).length > 0)
  if (balanced || nodes.some(node => Boolean(node.spec?.providerID))) return []
  return warning(
    'load-balancer',
    'the host seems to have no load balancer provider',
    'if it has none, use --expose nodeport',
  )
}

/** Hosts can have another range. Only the server knows it, and reports it when the Service is created. */
function usualPort(port = 0): Finding[] {
  if (port >= 30_000 && port <= 32_767) return []
  return warning(
    'port',
    `node ports are usually from 30000 to 32767, but --api-port is ${port}: the host may refuse it`,
    "to change it, use another --api-port, or --api-port '' for a free one",
  )
}

async function priority({ settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { priorityClass: name } = settings
  if (name === undefined) return []
  if (await host.get({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name }, { signal })) return []
  return error('priority-class', `the host has no PriorityClass "${name}", so it would refuse all pods`, undefined, [
    kubectlStep('list them', 'get priorityclass'),
  ])
}

/** An existing namespace (`--adopt`) may refuse pods that run as root. */
async function security({ namespace, settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  if (settings.etcdUser === 'unprivileged' || settings.etcdUser === 'auto') return []
  const found = await host.get({ apiVersion: 'v1', kind: 'Namespace', name: namespace }, { signal })
  if (found?.metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted') return []
  return error(
    'pod-security',
    `namespace ${namespace} enforces the pod security level "restricted", which refuses an etcd that runs as root`,
    'use --etcd-user unprivileged',
  )
}
