/** Access from inside a pod by the service account that Kubernetes mounts, without a kubeconfig. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../../core/files.ts'
import type { World } from '../../core/world.ts'
import { envOf } from '../paths.ts'
import { unreadable } from '../yaml/yaml-file.ts'
import type { KubeAccess } from './kubeconfig-access.ts'

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Undefined outside a pod. Names the token's file rather than reading it, because Kubernetes replaces the token every
 * hour.
 */
export async function inClusterAccess(world: World, folder = serviceAccountFolder): Promise<KubeAccess | undefined> {
  const host = envOf(world, 'KUBERNETES_SERVICE_HOST')
  const port = envOf(world, 'KUBERNETES_SERVICE_PORT')
  const tokenFile = join(folder, 'token')
  if (!host || !port || (await readIfExists(tokenFile)) === undefined) return undefined
  let ca: string
  try {
    ca = await readFile(join(folder, 'ca.crt'), 'utf8')
  } catch (error) {
    throw unreadable(join(folder, 'ca.crt'), 'certificate authority of this cluster', error)
  }
  return {
    name: 'in-cluster',
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca,
    tlsServerName: undefined,
    insecure: false,
    proxyUrl: undefined,
    namespace: (await readIfExists(join(folder, 'namespace')))?.trim(),
    cert: undefined,
    key: undefined,
    user: { tokenFile },
    clusterEntry: 'in-cluster',
    userEntry: undefined,
    file: folder,
  }
}
