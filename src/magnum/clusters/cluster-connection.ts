/** A connection to a cluster's own API, with a certificate that Magnum signs for this run. */
import { awaitAll } from '../../core/concurrency.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { marksReader } from '../../kube/ownership/marks-access.ts'
import type { Cluster } from '../../model/cluster.ts'
import { checkAddress, isHttps, templateOf } from '../../openstack/cluster-address.ts'
import { getCertificate, signCertificate } from '../../openstack/magnum-api/certificates.ts'
import type { Service } from '../../openstack/service.ts'
import type { MagnumContext } from '../magnum-context.ts'

/** Magnum's certificates are valid for five years, so this user may read the marks and nothing else. */
const reader = [['CN', marksReader] as const, ['O', marksReader] as const]

export async function connectToCluster(
  context: MagnumContext,
  cluster: Cluster & { api_address: string },
  signal: AbortSignal,
): Promise<ClusterApi> {
  const { uuid, api_address: server } = cluster
  const name = cluster.name ?? uuid
  const service = await context.session.magnum(signal)
  if (!isHttps(server)) {
    // an impostor that answers without TLS could hide that a federation needs the cluster
    checkAddress(cluster, server, await templateOf(service, cluster))
    return context.connect({ name, server })
  }
  const [ca, identity] = await awaitAll([getCertificate(service, uuid), signedIdentity(service, uuid)])
  return context.connect({ name, server, ca: ca.pem, ...identity })
}

async function signedIdentity(service: Service, uuid: string): Promise<Pick<InlineAccess, 'cert' | 'key'>> {
  const [{ generateKey, privateKeyPem }, { createRequest }] = await Promise.all([
    import('../../pki/keys.ts'),
    import('../../pki/requests.ts'),
  ])
  const { privateKey } = await generateKey('rsa-2048') // not every Magnum signs for other kinds of keys
  const { pem } = await signCertificate(service, uuid, createRequest(reader, privateKey))
  return { cert: pem, key: privateKeyPem(privateKey) }
}
