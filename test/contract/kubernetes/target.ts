/**
 * The servers that the contract tests: the sandbox's clusters, or (COE_E2E=1) the real ones of the contexts `host`,
 * `c2` and `c3` in KUBECONFIG. Both get requests through coe's own cluster functions.
 */
import { type KubeAccess, resolveContext } from '../../../src/config/kubeconfig/kubeconfig.ts'
import { connectCluster, inlineAccess } from '../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminAccess } from '../../support/kube.ts'
import { realContexts, world } from './contexts.ts'

export { world }

export const onRealServers = process.env.COE_E2E === '1'

export interface Reached {
  /** As a cluster admin. */
  api: ClusterApi
  access: KubeAccess
  /** The same server as the user of this token. */
  as(token: string): ClusterApi
}

export interface KubeTarget {
  /** False if KUBECONFIG has no such clusters: the tests are skipped. */
  there: boolean
  host: Reached
  member: Reached
  sandbox?: KubeSandbox
  close(): Promise<void>
}

export async function target(): Promise<KubeTarget> {
  return onRealServers ? realClusters() : simulatedClusters()
}

async function simulatedClusters(): Promise<KubeTarget> {
  const sandbox = await startKubeSandbox({ members: 1 })
  const reach = async (name: string) => reached(await adminAccess(sandbox.cluster(name)))
  return { there: true, sandbox, host: await reach('host'), member: await reach('c2'), close: () => sandbox.close() }
}

async function realClusters(): Promise<KubeTarget> {
  const config = await realContexts()
  if (!config) {
    const nowhere = reached(inlineAccess({ name: 'nowhere', server: 'https://kubernetes.invalid' }))
    return { there: false, host: nowhere, member: nowhere, close: async () => {} }
  }
  const reach = async (name: string) => reached(await resolveContext(world, config, name))
  return { there: true, host: await reach('host'), member: await reach('c2'), close: async () => {} }
}

const connect = (access: KubeAccess) => connectCluster(access, { world, userAgent: 'coe-contract' })

const reached = (access: KubeAccess): Reached => ({
  api: connect(access),
  access,
  as: token => connect({ ...access, cert: undefined, key: undefined, user: { token } }),
})
