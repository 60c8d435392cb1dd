/** The Secrets on the host: read, and made of what was issued. */
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { base64, decoded, type KubeObject } from '../../../kube/api/object.ts'
import { labelSelector } from '../../../kube/api/selector.ts'
import { adminSecret, authoritiesSecret, components, estimatorSecret } from '../names.ts'
import { auditPolicy, auditPolicyFile, hasAudit } from '../templates/audit.ts'
import { componentKubeconfig, kubeconfigFile } from '../templates/kubeconfigs.ts'
import type { Site } from '../templates/site.ts'
import type { Credentials, Files } from './certificates.ts'

/** The address in the administrator's Secret, so that it alone is enough to get in. */
export const serverFile = 'server'

const all = ({ settings }: Site): string[] => [
  authoritiesSecret,
  adminSecret,
  ...components,
  ...(settings.schedulerEstimator ? [estimatorSecret] : []),
]

/** By name; only those that carry our labels. */
export async function readSecrets(host: ClusterApi, site: Site, signal?: AbortSignal): Promise<Credentials> {
  const { items } = await host.list(
    { apiVersion: 'v1', kind: 'Secret' },
    { namespace: site.namespace, labels: labelSelector(site.labels), signal },
  )
  return Object.fromEntries(items.map(secret => [secret.metadata.name ?? '', filesOf(secret)]))
}

export function filesOf(secret: KubeObject): Files {
  const names = Object.keys((secret.data as object | undefined) ?? {})
  return Object.fromEntries(names.map(name => [name, decoded(secret, name) ?? '']))
}

/** What is in the Secrets besides keys and certificates: how to find the API, and what it is to write down. */
export function withAddresses(credentials: Credentials, site: Site, server: string): Credentials {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, files]) => {
      if (name === adminSecret) return [name, { ...files, [serverFile]: server }]
      if (name === 'karmada-apiserver' && hasAudit(site)) return [name, { ...files, [auditPolicyFile]: auditPolicy() }]
      if (files['client.crt'] === undefined) return [name, files]
      return [name, { ...files, [kubeconfigFile]: componentKubeconfig(site) }]
    }),
  )
}

export const sameCredentials = (a: Credentials, b: Credentials, site: Site): boolean =>
  all(site).every(name => {
    const [mine = {}, other = {}] = [a[name], b[name]]
    const files = Object.keys(mine)
    return files.length === Object.keys(other).length && files.every(file => mine[file] === other[file])
  })

/** @param credentials in a dry run it stands for itself, so it is asked for each Secret by name. */
export const secretObjects = (credentials: Credentials, site: Site): KubeObject[] =>
  all(site).map(name => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name, namespace: site.namespace },
    data: Object.fromEntries(Object.entries(credentials[name] ?? {}).map(([file, text]) => [file, base64(`${text}`)])),
  }))
