/** The way into a cluster, for a kubeconfig of its own: a context by itself, or what its driver has for it. */
import { X509Certificate } from 'node:crypto'
import { flattenContext, loadKubeconfig } from '../../config/kubeconfig/kubeconfig.ts'
import { usage } from '../../core/errors.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { AccessRequest, ClusterAccess } from '../../model/cluster-access.ts'
import type { Standalone } from '../deps.ts'
import { findAccess } from '../references/references.ts'

export async function clusterAccess(
  deps: Standalone,
  ref: string,
  request: AccessRequest,
  cluster: Cluster,
): Promise<ClusterAccess> {
  if (request.certificate?.asked || !request.certificate || request.ca !== undefined) {
    throw usage('--user, --group, --use-keystone and --cluster-ca are for clusters of a Magnum, in its own mode', {
      hint: 'standalone, the credentials are those that there are; name a cloud with --os-cloud NAME (OS_CLOUD)',
    })
  }
  const { access } = await findAccess(deps, ref)
  const { server, ca, cert, key } = access
  const expiresAt = cert && new Date(new X509Certificate(cert).validTo)
  const known = {
    cluster,
    coe: 'kubernetes',
    server,
    ...(ca ? { ca } : {}),
    ...(cert && key && expiresAt ? { certificate: { pem: cert, key, expiresAt } } : {}),
  }
  const config = await loadKubeconfig(deps.world)
  if (access.file === '' && access.cert) return known // what Magnum's mode has for it, in the same words
  const entries = { ...flattenContext(config, access), namespace: access.namespace }
  const names = { cluster: access.clusterEntry, user: access.userEntry ?? access.clusterEntry }
  return { ...known, entries: { ...entries, names, file: access.file || undefined } }
}
