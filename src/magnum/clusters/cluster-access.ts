/** Access to a cluster: its address, its CA, and a new certificate for the user. */

import { awaitAll } from '../../core/concurrency.ts'
import { CoeError, conflict, failed } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import type { Clusters } from '../../model/backend.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { AccessRequest, ClusterAccess, IssuedCertificate } from '../../model/cluster-access.ts'
import { checkAddress, isHttp, isHttps, templateOf } from '../../openstack/cluster-address.ts'
import { getCertificate, signCertificate } from '../../openstack/magnum-api/certificates.ts'
import type { MagnumContext } from '../magnum-context.ts'

export function clusterAccess(context: MagnumContext, get: Clusters['get']): Clusters['access'] {
  return async (call, ref, request) => {
    const cluster = await get(call, ref)
    const server = cluster.api_address
    if (!server) throw noAddress(cluster)
    const service = await context.session.magnum(call.signal)
    const known = isHttps(server) ? undefined : await templateOf(service, cluster)
    checkAddress(cluster, server, known)
    if (isHttp(server)) return { cluster, coe: known?.coe ?? undefined, server }
    const [template, ca, signing] = await awaitAll([
      known ?? templateOf(service, cluster),
      request.ca ?? getCertificate(service, cluster.uuid).then(c => c.pem, ownersOnly(cluster, request)),
      request.certificate && keyAndRequest(request.certificate),
    ])
    const coe = template?.coe ?? undefined
    if (!signing) return { cluster, coe, server, ca }
    const { pem } = await signCertificate(service, cluster.uuid, signing.csr).catch(ownersOnly(cluster, request))
    const certificate = await checkCertificate(pem, signing.key, cluster)
    return { cluster, coe, server, ca, certificate } satisfies ClusterAccess
  }
}

async function keyAndRequest({ user, groups }: NonNullable<AccessRequest['certificate']>) {
  const [{ generateKey, privateKeyPem }, { createRequest }] = await Promise.all([
    import('../../pki/keys.ts'),
    import('../../pki/requests.ts'),
  ])
  const { privateKey } = await generateKey('rsa-2048')
  const subject = [['CN', user] as const, ...groups.map(group => ['O', group] as const)]
  return { key: privateKeyPem(privateKey, 'traditional'), csr: createRequest(subject, privateKey) }
}

/** A certificate that does not match its key would only fail later, in kubectl. */
async function checkCertificate(pem: string, key: string, cluster: Cluster): Promise<IssuedCertificate> {
  const [{ inspect, isFor }, { readPrivateKey }] = await Promise.all([
    import('../../pki/inspect.ts'),
    import('../../pki/keys.ts'),
  ])
  try {
    if (isFor(pem, readPrivateKey(key))) return { pem, key, expiresAt: inspect(pem).notAfter }
  } catch (cause) {
    throw failed(`Magnum's answer is not a certificate for cluster "${cluster.name}"`, { cause })
  }
  throw failed(`the certificate that Magnum signed for cluster "${cluster.name}" belongs to another key`)
}

const noAddress = (cluster: Cluster): CoeError =>
  conflict(`cluster "${cluster.name}" has no API address yet: it is ${cluster.status}`, {
    next: [
      /_IN_PROGRESS$/.test(cluster.status ?? '')
        ? nextStep('wait', 'cluster wait', cluster.name)
        : nextStep('see why', 'cluster show', cluster.name),
    ],
    details: { cluster: cluster.uuid, cluster_status: cluster.status },
  })

/** By Magnum's default policy, only the user who created the cluster may have its certificates, not the project. */
function ownersOnly({ name }: Cluster, request: AccessRequest): (error: unknown) => never {
  return error => {
    if (!(error instanceof CoeError) || error.outcome !== 'denied' || error.details.status !== 403) throw error
    throw new CoeError(
      'denied',
      `only the user who created cluster "${name}" may have its certificates: ${error.message}`,
      {
        hint: `if the cluster accepts OpenStack users, get its CA from its owner and use --use-keystone --cluster-ca FILE${request.certificate ? '; otherwise ask its owner for a kubeconfig' : ''}`,
        next: [nextStep('its owner gets the CA with', 'ca show', name)],
        cause: error,
        details: error.details,
      },
    )
  }
}
