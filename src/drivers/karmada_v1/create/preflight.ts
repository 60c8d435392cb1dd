/** What can be known of a host before anything is written there. */
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
      'that is the API of a federation, not a cluster: it has no nodes to run another on',
      'name the context of a cluster',
      [standaloneStep('see which there are', 'cluster list')],
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

/** startup probes and policy/v1 are as old as this. */
const oldestMinor = 21

async function version(host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { major, minor, gitVersion } = await host.version({ signal })
  if (Number(major) > 1 || Number.parseInt(minor, 10) >= oldestMinor) return []
  return error('version', `the host runs Kubernetes ${gitVersion}, and 1.${oldestMinor} is the oldest that will do`)
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

async function storage({ settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  if (settings.storage === 'emptydir') {
    return warning(
      'storage',
      'with --storage emptydir the federation forgets everything when its etcd pod moves or ends',
    )
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
    ? `name one with --storage-class: ${someOf(names)}`
    : 'it has none at all; --storage emptydir does without, and forgets everything with the pod'

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
    const which = settings.ha
      ? `--ha needs ${wanted} nodes that are Ready and take`
      : 'a node is needed that is Ready and takes'
    // one that stands and serves is not refused a look for a node that is off
    const find = settings.ha && (await serves(plane, host, signal)) ? warning : error
    findings.push(
      ...find(
        'nodes',
        `${which} pods, and the host has ${usable.length} of ${items.length} such`,
        Object.keys(settings.nodeSelector).length
          ? 'only nodes with what --node-selector says count; tainted ones can be used with --toleration'
          : 'tainted nodes can be used with --toleration',
      ),
    )
  }
  const foreign = usable.filter(
    item => !['amd64', 'arm64'].includes(as<Node>(item).status?.nodeInfo?.architecture ?? 'amd64'),
  )
  if (foreign.length && foreign.length === usable.length) {
    findings.push(
      ...error('architecture', 'Karmada has images for amd64 and arm64, and no node of the host is one of these'),
    )
  }
  if (settings.expose === 'nodeport' && !settings.advertiseAddress && nodeAddresses(all).length === 0) {
    findings.push(...error('address', 'no node of the host tells an address', 'name one with --advertise-address'))
  }
  return findings
}

const site = (settings: Site['settings']) => ({ tolerations: settings.tolerations, selector: settings.nodeSelector })

/** Would the scheduler take it? Taints that repel, labels that were asked for. */
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
      'take another --api-port, or none: then a free one is found',
    )
  }
  const balanced = others.some(service => (service.status?.loadBalancer?.ingress ?? []).length > 0)
  if (balanced || nodes.some(node => Boolean(node.spec?.providerID))) return []
  return warning(
    'load-balancer',
    'the host shows no sign of a load balancer provider',
    'if it has none, --expose nodeport does without',
  )
}

/** A host may have another range, and only the server knows: it tells when the Service is made. */
function usualPort(port = 0): Finding[] {
  if (port >= 30_000 && port <= 32_767) return []
  return warning(
    'port',
    `node ports are usually from 30000 to 32767, and --api-port is ${port}: the host may refuse it`,
    "--api-port with another takes that, --api-port '' a free one",
  )
}

async function priority({ settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { priorityClass: name } = settings
  if (name === undefined) return []
  if (await host.get({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name }, { signal })) return []
  return error('priority-class', `the host has no PriorityClass "${name}", and would admit no pod`, undefined, [
    kubectlStep('see which it has', 'get priorityclass'),
  ])
}

/** Where the namespace is there already (`--adopt`), it may be one that refuses what runs as root. */
async function security({ namespace, settings }: Site, host: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  if (settings.etcdUser === 'unprivileged' || settings.etcdUser === 'auto') return []
  const found = await host.get({ apiVersion: 'v1', kind: 'Namespace', name: namespace }, { signal })
  if (found?.metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted') return []
  return error(
    'pod-security',
    `namespace ${namespace} enforces the pod security level "restricted", which refuses an etcd that runs as root`,
    '--etcd-user unprivileged runs it as nobody in particular',
  )
}
