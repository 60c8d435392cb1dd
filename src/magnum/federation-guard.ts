/** A cluster that a federation stands on, or that is a member of one, is not deleted under it. */
import { conflict } from '../core/errors.ts'
import type { Cluster } from '../model/cluster.ts'
import type { Federation } from '../model/federation.ts'
import type { Operation } from '../model/operation.ts'
import { listFederations } from '../openstack/magnum-api/federations.ts'
import type { MagnumContext } from './magnum-context.ts'

/** Of several clusters deleted at once, one look serves all. */
const freshMs = 5_000

export function federationGuard(context: MagnumContext) {
  let last: { at: number; list: Promise<Federation[]> } | undefined
  return {
    /** Never fails: it can run beside what else is to be looked at. */
    look(op: Operation): Promise<Federation[]> {
      const now = context.clock.now()
      if (!last || now - last.at > freshMs) last = { at: now, list: visible(context, op) }
      return last.list
    },
    refuse,
  }
}

function refuse(cluster: Cluster, federations: readonly Federation[]): void {
  const ids = [cluster.uuid, cluster.name]
  const hosted = federations.find(f => ids.includes(f.hostcluster_id ?? ''))
  if (hosted) {
    throw conflict(`cluster "${cluster.name}" is the host of federation "${hosted.name}"`, {
      hint: `delete the federation first: coe federation delete ${hosted.name}; --force deletes the cluster all the same`,
    })
  }
  const joined = federations.find(f => f.member_ids?.includes(cluster.uuid))
  if (joined) {
    throw conflict(`cluster "${cluster.name}" is a member of federation "${joined.name}"`, {
      hint: `take it out first: coe federation unjoin ${joined.name} ${cluster.name}; --force deletes the cluster all the same`,
    })
  }
}

/** Old servers have no federations, and some users may not see them: no reason to keep a cluster. */
async function visible(context: MagnumContext, op: Operation): Promise<Federation[]> {
  try {
    return await listFederations(await context.session.magnum(), {}, false)
  } catch (error) {
    op.report.note(`whether it is in a federation could not be seen: ${(error as Error).message}`)
    return []
  }
}
