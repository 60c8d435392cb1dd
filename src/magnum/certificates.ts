/** Shows a cluster's CA, signs with it, and rotates it. */

import { CoeError, conflict, failed, notFound } from '../core/errors.ts'
import { nextStep } from '../core/next-step.ts'
import type { Certificates } from '../model/administration.ts'
import type { Call } from '../model/call.ts'
import { isComplete, isMoving } from '../model/status.ts'
import * as api from '../openstack/magnum-api/certificates.ts'
import { getCluster, listClusters } from '../openstack/magnum-api/clusters.ts'
import type { Service } from '../openstack/service.ts'
import { watchCluster } from './clusters/watch-cluster.ts'
import type { MagnumContext } from './magnum-context.ts'
import { resolving } from './resolve.ts'

export function magnumCertificates(context: MagnumContext): Certificates {
  async function of<T>(call: Call, cluster: string, request: (service: Service) => Promise<T>): Promise<T> {
    const service = await context.session.magnum(call.signal)
    const candidates = () => listClusters(service, {}, false)
    return resolving({ kind: 'cluster', ref: cluster, where: context.where, candidates }, () => request(service))
  }

  return {
    show: (call, cluster, caType) => of(call, cluster, service => api.getCertificate(service, cluster, caType)),
    sign: (call, cluster, csr, caType) =>
      of(call, cluster, service => api.signCertificate(service, cluster, csr, caType).catch(unknownCluster)),
    async rotate(call, ref, op) {
      const cluster = await of(call, ref, service => getCluster(service, ref))
      if (!isComplete(cluster.status)) {
        throw conflict(`the CA of cluster "${cluster.name}" cannot be rotated now: the cluster is ${cluster.status}`, {
          ...(isMoving(cluster.status)
            ? { next: [nextStep('wait', 'cluster wait', cluster.name)] }
            : { hint: 'only a cluster that is complete can be changed' }),
          details: { cluster: cluster.uuid, cluster_status: cluster.status },
        })
      }
      // only the user who created the cluster may read its CA; others can rotate it without reading it
      const currentCa = () =>
        of(call, cluster.uuid, service => api.getCertificate(service, cluster.uuid)).catch(() => undefined)
      const before = op.wait ? await currentCa() : undefined
      await of(call, ref, service => api.rotateCa(service, cluster.uuid).catch(halfRotated))
      op.accepted?.(cluster.uuid)
      if (!op.wait) return cluster
      const goal = { kind: 'complete' } as const
      const watch = { uuid: cluster.uuid, name: cluster.name, goal, before: cluster }
      const after = await watchCluster(context, watch, { ...call, ...op })
      if (before && (await currentCa())?.pem === before.pem) {
        throw failed(`cluster "${cluster.name}" is ${after?.status}, and its CA is the same as before`, {
          hint: "the cluster's driver may not support rotation; ask an operator",
        })
      }
      return after ?? cluster
    },
  }
}

/** For an unknown cluster, the server answers a signing request with 400, not 404. */
function unknownCluster(error: unknown): never {
  if (error instanceof CoeError && /^Cluster .* could not be found/.test(String(error.details.reason))) {
    throw notFound(error.message, { cause: error, details: error.details })
  }
  throw error
}

/** Magnum stores the new CA before it calls the driver, so a refusal comes too late. */
function halfRotated(error: unknown): never {
  if (error instanceof CoeError && /not supported by this driver/.test(String(error.details.reason))) {
    throw new CoeError('failed', error.message, {
      hint: 'Magnum may now have a new CA that the cluster does not use: keep the kubeconfigs that work, and tell an operator',
      cause: error,
      details: error.details,
    })
  }
  throw error
}
