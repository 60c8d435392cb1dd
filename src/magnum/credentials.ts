/** Renews the credentials that a cluster uses in its cloud; the new ones belong to the calling user. */
import { fallbackOn } from '../core/errors.ts'
import { poll } from '../core/poll.ts'
import type { Credentials } from '../model/administration.ts'
import { isMoving } from '../model/status.ts'
import { getCluster, listClusters } from '../openstack/magnum-api/clusters.ts'
import { rotateCredential } from '../openstack/magnum-api/credentials.ts'
import { watchCluster } from './clusters/watch-cluster.ts'
import type { MagnumContext } from './magnum-context.ts'
import { resolving } from './resolve.ts'

/** Some drivers update the cluster for it, which shows a moment later; others are done when they answer. */
const startsWithinMs = 10_000

export function magnumCredentials(context: MagnumContext): Credentials {
  return {
    async rotate(call, ref, op) {
      const service = await context.session.magnum(call.signal)
      const candidates = () => listClusters(service, {}, false)
      const find = <T>(request: () => Promise<T>) =>
        resolving({ kind: 'cluster', ref, where: context.where, candidates }, request)
      const before = op.wait ? await find(() => getCluster(service, ref)) : undefined
      const { uuid } = await find(() => rotateCredential(service, before?.uuid ?? ref))
      op.accepted?.(uuid)
      if (!before) return { uuid }
      const check = async () => {
        const now = await getCluster(service, uuid)
        return isMoving(now.status) || now.updated_at !== before.updated_at ? now : undefined
      }
      const { clock } = context
      const what = `cluster "${before.name}" to change`
      const started = await poll(check, { clock, signal: call.signal, timeoutMs: startsWithinMs, what }).catch(
        fallbackOn('timeout', undefined),
      )
      if (!started) return getCluster(service, uuid)
      const watch = { uuid, name: before.name, goal: { kind: 'complete' } as const }
      return (await watchCluster(context, watch, { ...call, ...op })) ?? { uuid }
    },
  }
}
