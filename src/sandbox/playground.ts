/** Both halves of the simulated cloud, with the files that let the user's tools find them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definitionArchive } from './karmada/definition-archive.ts'
import type { KubeCluster } from './kube/cluster.ts'
import { type KubeSandbox, startKubeSandbox } from './kube/start.ts'
import type { ApiServers } from './openstack/magnum/context.ts'
import { type Sandbox, startSandbox } from './start.ts'

export interface PlaygroundOptions {
  /** The folder of its files, created if missing. */
  folder: string
  /** The number of clusters that Magnum has at the start. */
  clusters: number
  /** The number of Kubernetes clusters besides the host. */
  members: number
  federation: 'facade' | 'working'
  /** How many times faster than real time. */
  speed: number
  /** The extra latency of Kubernetes' API servers in milliseconds. */
  latency?: number | undefined
}

export interface Playground {
  /** The environment with which a command uses the sandbox, and nothing else. */
  env: Record<string, string>
  close(): Promise<void>
}

/** The release whose definitions are simulated; federations get them only from here. */
const engineVersion = 'v1.18.2'

/** Variables that would make a command leave the sandbox. */
export const leadsElsewhere = (name: string): boolean =>
  /^OS_/.test(name) || /^(?:https?|all)_proxy$/i.test(name) || name === 'KUBECONFIG' || name === 'COE_MODE'

/** Each API server costs a tenth of a second and some memory, so thousands of clusters cannot have one. */
const mostApiServers = 10

/** API servers for Magnum's clusters, with the CA that Magnum signs with, so that their kubeconfigs work. */
export function apiServersIn(kube: KubeSandbox): ApiServers {
  const running = new Map<string, KubeCluster>()
  return {
    async start({ uuid }, authority) {
      if (running.size >= mostApiServers) return 'https://127.0.0.1:6443'
      const cluster = await kube.add(`magnum-${uuid.slice(0, 8)}`, { issuer: await authority() })
      running.set(uuid, cluster)
      return cluster.url
    },
    stop({ uuid }) {
      void running.get(uuid)?.close()
      running.delete(uuid)
    },
  }
}

export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { folder } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const started: { close(): Promise<void> }[] = []
  const close = async () => {
    await Promise.all(started.map(half => half.close()))
  }
  try {
    const kube = await startKubeSandbox({
      members: options.members,
      loadBalancer: true,
      latencyMs: options.latency,
    })
    started.push(kube)
    const cloud = await startSandbox({
      clusters: options.clusters,
      federation: options.federation,
      speed: options.speed,
      apiServers: apiServersIn(kube),
    })
    started.push(cloud)
    return { env: await environment(folder, kube, cloud), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function environment(folder: string, kube: KubeSandbox, cloud: Sandbox): Promise<Record<string, string>> {
  const caFile = join(folder, 'ca.pem')
  const cloudsFile = join(folder, 'clouds.yaml')
  const kubeconfig = join(folder, 'kubeconfig')
  const assets = join(folder, 'assets')
  const definitions = definitionArchive()
  const secret = { mode: 0o600 }
  await mkdir(assets, { recursive: true })
  await Promise.all([
    writeFile(join(assets, `karmada-crds-${engineVersion}.tar.gz`), definitions.archive),
    writeFile(caFile, cloud.caPem ?? '', secret),
    writeFile(cloudsFile, cloud.cloudsYaml(caFile), secret),
    writeFile(kubeconfig, kube.kubeconfig, secret),
  ])
  return {
    OS_CLIENT_CONFIG_FILE: cloudsFile,
    OS_CLOUD: 'sandbox',
    KUBECONFIG: kubeconfig,
    COE_CONFIG_DIR: join(folder, 'config'),
    COE_CACHE_DIR: join(folder, 'cache'),
    COE_STATE_DIR: join(folder, 'state'),
    COE_ASSETS: assets,
    COE_CRDS_DIGEST: definitions.digest,
    COE_SANDBOX: folder,
  }
}
