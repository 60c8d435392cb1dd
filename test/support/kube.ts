/** Our own client on a simulated cluster, and a plain world around it. */
import { hostname } from 'node:os'
import type { KubeAccess } from '../../src/config/kubeconfig/kubeconfig.ts'
import type { NextStep } from '../../src/core/next-step.ts'
import { systemClock } from '../../src/core/time.ts'
import type { World } from '../../src/core/world.ts'
import { type ConnectOptions, connectCluster, inlineAccess } from '../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../src/kube/api/object.ts'
import type { Report } from '../../src/model/call.ts'
import type { KubeCluster } from '../../src/sandbox/kube/cluster.ts'

export const kubeWorld = (changes: Partial<World> = {}): World => ({
  env: {},
  cwd: '/',
  home: undefined,
  platform: 'linux',
  pid: 1,
  hostname: hostname(),
  clock: systemClock,
  ...changes,
})

export async function adminAccess(cluster: KubeCluster): Promise<KubeAccess> {
  const { certificate, key } = await cluster.clientCertificate('admin', ['system:masters'])
  return inlineAccess({ name: cluster.name, server: cluster.url, ca: cluster.caCertificate, cert: certificate, key })
}

export const connectOptions = (changes: Partial<ConnectOptions> = {}): ConnectOptions => ({
  world: kubeWorld(),
  userAgent: 'coe/test',
  ...changes,
})

export const connectAdmin = async (cluster: KubeCluster, changes: Partial<ConnectOptions> = {}): Promise<ClusterApi> =>
  connectCluster(await adminAccess(cluster), connectOptions(changes))

export const configMap = (name: string, namespace: string, data: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
})

export const namespaceObject = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
})

/** Sends the ConfigMaps of a namespace to clusters. */
export const configMapPolicy = (namespace: string, clusterNames: readonly string[]): KubeObject => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'all', namespace },
  spec: {
    resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
    placement: { clusterAffinity: { clusterNames } },
  },
})

export const deploymentObject = (name: string, namespace: string, image = 'web:1', replicas = 1): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image }] } },
  },
})

/** What was reported, as lines. */
export function recordingReport(): Report & { lines: string[] } {
  const lines: string[] = []
  const line = (word: string) => (id: string, text?: string) =>
    void lines.push([word, id, text].filter(Boolean).join(' '))
  return {
    lines,
    step: line('step'),
    done: line('done'),
    fail: line('fail'),
    note: text => void lines.push(`note ${text}`),
  }
}

/** The error that a promise ends with; a test that gets none fails. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<
  Error & { hint?: string; next?: readonly NextStep[]; exitCode?: number; details?: Record<string, unknown> }
> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}
