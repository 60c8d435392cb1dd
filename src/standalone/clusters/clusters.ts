/** Clusters, standalone: the contexts that there are, and what drivers know. */
import { coeExtension, type Kubeconfig, loadKubeconfig } from '../../config/kubeconfig/kubeconfig.ts'
import { resultOf } from '../../core/concurrency.ts'
import { CoeError } from '../../core/errors.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { ClusterQuery, Clusters } from '../../model/backend.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { DepsFor, Standalone } from '../deps.ts'
import { page } from '../page.ts'
import { lookAtEach, lookInto } from '../references/look.ts'
import { findAccess, noContexts, parted } from '../references/references.ts'
import { clusterAccess } from './cluster-access.ts'
import { clusterLife } from './cluster-life.ts'
import { clusterOf, describeContext } from './describe-context.ts'
import { probeCluster, unreached } from './probe-cluster.ts'

export function standaloneClusters(depsFor: DepsFor): Clusters {
  return {
    tables: {
      list: ['name', 'api_address'],
      probed: [
        ...['name', 'api_address', 'coe_version', 'node_count', 'health_status'],
        ...['member_of', 'host_of', 'status_reason'],
      ],
    },
    async list(call, query) {
      const deps = depsFor(call)
      const config = await loadKubeconfig(deps.world)
      if (config.contexts.size === 0) {
        deps.noteOnce(`${noContexts(deps.world)}; for clusters of a Magnum name the cloud: --os-cloud NAME (OS_CLOUD)`)
      }
      return listContexts(deps, config, query)
    },
    async get(call, ref, { probe = false, timeoutMs } = {}) {
      const deps = depsFor(call)
      const cluster = await describe(deps, ref)
      return probe ? probed(deps, cluster, () => enter(deps, ref, timeoutMs)) : cluster
    },
    ...clusterLife(depsFor),
    async access(call, ref, request) {
      const deps = depsFor(call)
      return clusterAccess(deps, ref, request, await describe(deps, ref))
    },
  }
}

async function listContexts(deps: Standalone, config: Kubeconfig, query: ClusterQuery): Promise<Cluster[]> {
  const contexts = [...config.contexts.values()].filter(context => coeExtension(context)?.federation === undefined)
  const clusters = contexts.map(context => clusterOf(config, context))
  if (!query.probe) return page(clusters, query)
  const looks = await lookAtEach(deps, clusters, one =>
    probed(deps, one, () => lookInto(deps, one.name, query.timeoutMs)),
  )
  return page(
    looks.flatMap(end => (end.ok ? end.value : [])),
    query,
  )
}

async function probed(deps: Standalone, cluster: Cluster, reach: () => Promise<ClusterApi>): Promise<Cluster> {
  const { signal } = deps.call
  const seen = await resultOf(reach().then(api => probeCluster(api, { signal })))
  signal.throwIfAborted()
  if (!seen.ok) {
    if (!(seen.error instanceof CoeError)) throw seen.error
    return { coe_version: null, node_count: null, ...cluster, ...unreached(seen.error), ...kept(cluster) }
  }
  const { uid, version, nodes, fields } = seen.value
  const found = { uuid: uid ?? cluster.uuid, status: 'CREATE_COMPLETE', node_count: nodes }
  return { ...cluster, ...found, coe_version: version, ...fields, ...kept(cluster) }
}

/** Who made it knows this better than the cluster itself. */
function kept({ uuid, status, node_count }: Cluster): Partial<Cluster> {
  return status === null ? {} : { uuid, status, ...(node_count === undefined ? {} : { node_count }) }
}

/** A context first, else what a driver knows of it without entering it. */
async function describe(deps: Standalone, ref: string): Promise<Cluster> {
  const config = await loadKubeconfig(deps.world)
  const context = config.contexts.get(ref) ?? config.contexts.get(ref.replace(/^kube:/, ''))
  if (context) return describeContext(deps.world, config, context)
  const { prefix, name } = parted(ref)
  for (const { clusters: driver } of await deps.drivers.clusters()) {
    if (!driver.describe || (prefix === undefined ? !driver.configured : driver.prefix !== prefix)) continue
    const found = await resultOf(driver.describe(name))
    if (found.ok && found.value) return found.value
    // a cloud that cannot be asked is no reason to fail over a misspelt context
    if (!found.ok && (prefix !== undefined || !(found.error instanceof CoeError))) throw found.error
  }
  // knows the other ways in, and says what is wrong with a name that leads nowhere
  const { access, reference } = await findAccess(deps, ref)
  return { uuid: reference, name: reference, status: null, api_address: access.server }
}

/** `kube:c2` is context c2, unless a context has that name itself. */
async function enter(deps: Standalone, ref: string, timeoutMs: number | undefined): Promise<ClusterApi> {
  const contexts = await deps.coe.contexts()
  const name = ref.replace(/^kube:/, '')
  return lookInto(deps, !contexts.includes(ref) && contexts.includes(name) ? name : ref, timeoutMs)
}
