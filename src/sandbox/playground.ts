/** Both halves of the simulated cloud, and the files that let a person's tools find them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startKubeSandbox } from './kube/start.ts'
import { startSandbox } from './start.ts'

export interface PlaygroundOptions {
  /** Where its files go; made if it is not there. */
  folder: string
  /** Clusters that Magnum has at the start. */
  clusters: number
  /** Kubernetes clusters besides the host. */
  members: number
  federation: 'facade' | 'working'
  /** How many times faster than time. */
  speed: number
}

export interface Playground {
  /** What a command needs to talk to it, and to nothing else. */
  env: Record<string, string>
  close(): Promise<void>
}

/** Variables that would lead a command out of the sandbox. */
export const leadsElsewhere = (name: string): boolean =>
  /^OS_/.test(name) || /^(?:https?|all)_proxy$/i.test(name) || name === 'KUBECONFIG' || name === 'COE_MODE'

export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { folder } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [cloud, kube] = await Promise.all([
    startSandbox({ clusters: options.clusters, federation: options.federation, speed: options.speed }),
    startKubeSandbox({ members: options.members, loadBalancer: true }),
  ])
  const caFile = join(folder, 'ca.pem')
  const cloudsFile = join(folder, 'clouds.yaml')
  const kubeconfig = join(folder, 'kubeconfig')
  const secret = { mode: 0o600 }
  await Promise.all([
    writeFile(caFile, cloud.caPem ?? '', secret),
    writeFile(cloudsFile, cloud.cloudsYaml(caFile), secret),
    writeFile(kubeconfig, kube.kubeconfig, secret),
  ])
  return {
    env: {
      OS_CLIENT_CONFIG_FILE: cloudsFile,
      OS_CLOUD: 'sandbox',
      KUBECONFIG: kubeconfig,
      COE_CONFIG_DIR: join(folder, 'config'),
      COE_CACHE_DIR: join(folder, 'cache'),
      COE_STATE_DIR: join(folder, 'state'),
      COE_SANDBOX: folder,
    },
    async close() {
      await Promise.all([cloud.close(), kube.close()])
    },
  }
}
