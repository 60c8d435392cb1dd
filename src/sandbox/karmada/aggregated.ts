import type { ControlPlane } from '../kube/control-plane.ts'
import type { AggregationProbe } from '../kube/controllers/extensions.ts'
import { type Cause, invalid, invalidValue, requiredValue, unsupportedValue } from '../kube/failure.ts'
import { isDnsLabel } from '../kube/names.ts'
import { resolveInCluster } from '../kube/network/cluster-dns.ts'
import type { Json, KubeObject } from '../kube/object.ts'
import { allVerbs, type ResourceType } from '../kube/resource-types.ts'
import { connectEtcd } from './etcd.ts'
import { checkKubeconfig } from './kubeconfig.ts'
import { bootstrapIds } from './names.ts'
import type { ProcessContext, Program } from './process.ts'
import { chainProblem, pairProblem } from './trust.ts'

const clusterType: ResourceType = {
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  plural: 'clusters',
  singular: 'cluster',
  kind: 'Cluster',
  namespaced: false,
  shortNames: [],
  subresources: ['status', 'proxy'],
  verbs: allVerbs,
  builtin: false,
}

/** `clusters` are stored with the other objects, but served only while the aggregated API server answers. */
export function serveClusters(plane: ControlPlane): void {
  plane.types.add(clusterType)
  plane.aggregated.set(bootstrapIds.clusterGroupVersion, () => {
    const found = plane.store.get('apiservices.apiregistration.k8s.io', undefined, bootstrapIds.clusterApiService)
    if (!found?.spec.service) return 'absent'
    const available = found.status?.conditions?.find((c: Json) => c.type === 'Available')?.status === 'True'
    return available ? 'available' : 'unavailable'
  })
  plane.admit.push((_operation, id, object, old) => {
    if (id !== bootstrapIds.clusters) return
    const causes = clusterProblems(object, old)
    if (causes.length > 0) throw invalid(clusterType, object.metadata.name, causes)
    object.spec.resourceModels ??= resourceModels()
  })
}

function clusterProblems(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const { name } = object.metadata
  const { apiEndpoint, syncMode } = object.spec ?? {}
  const causes: Cause[] = []
  if (!isDnsLabel(name) || name.length > 48) {
    causes.push(invalidValue('metadata.name', name, 'must be a DNS label of no more than 48 characters'))
  }
  if (!syncMode) causes.push(requiredValue('spec.syncMode'))
  else if (!['Push', 'Pull'].includes(syncMode))
    causes.push(unsupportedValue('spec.syncMode', syncMode, ['Push', 'Pull']))
  if (apiEndpoint && !URL.canParse(apiEndpoint))
    causes.push(invalidValue('spec.apiEndpoint', apiEndpoint, 'must be a URL'))
  if (old?.spec.id && object.spec.id !== old.spec.id) {
    causes.push(invalidValue('spec.id', object.spec.id, 'field is immutable'))
  }
  return causes
}

/** The server's nine default grades; only their number and bounds matter. */
function resourceModels(): Json[] {
  const cpu = [0, 1, 2, 4, 8, 16, 32, 64, 128]
  const memory = ['0', '4Gi', '16Gi', '32Gi', '64Gi', '128Gi', '256Gi', '512Gi', '1Ti']
  const most = '9223372036854775807'
  return cpu.map((min, grade) => ({
    grade,
    ranges: [
      { name: 'cpu', min: String(min), max: String(cpu[grade + 1] ?? most) },
      { name: 'memory', min: memory[grade], max: memory[grade + 1] ?? most },
    ],
  }))
}

/** karmada-aggregated-apiserver: needs its etcd, its kubeconfig and its serving key pair. */
export const aggregatedApiServer: Program = async context => {
  const { view, network, federations, uid } = context
  const certificate = view.fileOf('tls-cert-file')
  const key = view.fileOf('tls-private-key-file')
  if (!certificate || !key) throw new Error('--tls-cert-file and --tls-private-key-file must be specified')
  const problem = pairProblem(certificate, key)
  if (problem) throw new Error(`error creating self-signed certificates: ${problem}`)
  connectEtcd(context)
  await checkKubeconfig(context, 'kubeconfig')
  for (const flag of ['authentication-kubeconfig', 'authorization-kubeconfig']) view.fileOf(flag)
  federations.servers.set(uid, { certificate, kind: 'aggregated' })
  network.open(uid, Number(view.flag('secure-port') ?? 443), { host: 'aggregated', port: 443 })
  return {
    stop() {
      federations.servers.delete(uid)
      network.close(uid)
    },
  }
}

/** Follows an APIService of a Karmada API to its server in the host cluster. */
export const aggregationProbe =
  (context: ProcessContext, plane: ControlPlane): AggregationProbe =>
  apiService => {
    const { name, namespace, port } = apiService.spec.service
    const service = plane.store.get('services', namespace, name)
    const no = (reason: string, message: string) => ({ available: false, reason, message })
    if (!service) return no('ServiceNotFound', `service/${name} in "${namespace}" is not present`)
    const host = service.spec.type === 'ExternalName' ? service.spec.externalName : undefined
    if (!host)
      return no(
        'MissingEndpoints',
        `endpoints for service/${name} in "${namespace}" have no addresses with port name "https"`,
      )
    const url = `https://${host}:${port}/apis/${apiService.spec.group}/${apiService.spec.version}`
    const failing = (why: string) =>
      no('FailedDiscoveryCheck', `failing or missing response from ${url}: Get "${url}": ${why}`)
    const found = resolveInCluster(context.plane, context.network, host, port, context.namespace)
    if ('error' in found) return failing(found.error)
    const server = context.federations.servers.get(found.pod.metadata.uid as string)
    if (server?.kind !== 'aggregated') return failing('EOF')
    const { caBundle, insecureSkipTLSVerify } = apiService.spec
    if (!insecureSkipTLSVerify) {
      const authorities = Buffer.from(caBundle ?? '', 'base64').toString('utf8')
      const wanted = `${name}.${namespace}.svc`
      const problem = chainProblem(server.certificate, authorities, 'server', plane.wallNow(), wanted)
      if (problem) return failing(problem)
    }
    return { available: true, reason: 'Passed', message: 'all checks passed' }
  }
