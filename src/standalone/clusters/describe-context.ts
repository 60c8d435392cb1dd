/** A context as a cluster, from the kubeconfig alone: nobody is asked. */
import { X509Certificate } from 'node:crypto'
import { coeExtension, type Kubeconfig, type KubeEntry, resolveContext } from '../../config/kubeconfig/kubeconfig.ts'
import { resultOf } from '../../core/concurrency.ts'
import type { World } from '../../core/world.ts'
import type { Cluster } from '../../model/cluster.ts'

/** A name stands for the identity that only the server can tell. */
export function clusterOf(config: Kubeconfig, context: KubeEntry): Cluster {
  const server = config.clusters.get(String(context.value.cluster))?.value.server
  return {
    uuid: `kube:${context.name}`,
    name: context.name,
    status: null,
    api_address: typeof server === 'string' ? server : null,
  }
}

/** With what is told of one cluster alone, and what is wrong with its entries. */
export async function describeContext(world: World, config: Kubeconfig, context: KubeEntry): Promise<Cluster> {
  const { namespace } = context.value
  const federation = coeExtension(context)?.federation
  const access = await resultOf(resolveContext(world, config, context.name))
  const user = config.users.get(String(context.value.user))?.value ?? {}
  return {
    ...clusterOf(config, context),
    status_reason: access.ok ? null : (access.error as Error).message,
    credentials: credentialsOf(user, access.ok ? access.value.cert : undefined),
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : 'default',
    kubeconfig: context.file,
    current: config.currentContext?.name === context.name,
    ...(federation === undefined ? {} : { federation: String(federation) }),
  }
}

/** In the order in which they win: see kube/access/credentials.ts. */
function credentialsOf(user: Readonly<Record<string, unknown>>, cert: string | undefined): string {
  const until = cert && new Date(new X509Certificate(cert).validTo).toISOString().slice(0, 10)
  const exec = user.exec as { command?: unknown } | undefined
  const provider = user['auth-provider'] as { name?: unknown } | undefined
  const others = [
    user.tokenFile && `token of ${user.tokenFile}`,
    user.token && 'token',
    user.username && `password of ${user.username}`,
    exec && `plugin ${exec.command}`,
    provider && `provider ${provider.name}`,
  ]
  const all = [until && `certificate until ${until}`, others.find(Boolean)].filter(Boolean)
  return all.join(', ') || 'none'
}
