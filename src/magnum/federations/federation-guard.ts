/** Refuses to delete a cluster that is the host or a member of a federation. */

import { CoeError, conflict, failed } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import { hostHint, memberHint } from '../../kube/ownership/delete-guard.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { Federation } from '../../model/federation.ts'
import { listFederations } from '../../openstack/magnum-api/federations.ts'
import type { MagnumContext } from '../magnum-context.ts'

/** How long a list is reused: one list serves several clusters that are deleted at once. */
const reuseMs = 5_000

interface Listed {
  federations: Federation[]
  /** Why the list failed. The caller decides whether to delete the cluster all the same. */
  unlisted?: string
}

export function federationGuard(context: MagnumContext) {
  let last: { at: number; list: Promise<Listed> } | undefined
  return {
    /** Runs in parallel to other checks: an error is thrown when the caller awaits the result. */
    list(call: Call): Promise<Listed> {
      const now = context.clock.now()
      if (!last || now - last.at > reuseMs) last = { at: now, list: visible(context, call) }
      last.list.catch(() => {})
      return last.list
    },
    refuse,
  }
}

function refuse(cluster: Cluster, federations: readonly Federation[]): void {
  // other clients may have stored a name where an identifier belongs
  const isIt = (ref: string | null): boolean => ref === cluster.uuid || ref === cluster.name
  const hosted = federations.find(f => isIt(f.hostcluster_id))
  if (hosted) {
    throw conflict(`cluster "${cluster.name}" is the host of federation "${hosted.name}"`, {
      hint: hostHint,
      next: [nextStep('delete the federation first', 'federation delete', hosted.name ?? hosted.uuid)],
      details: { cluster: cluster.uuid, federation: hosted.uuid },
    })
  }
  const joined = federations.find(f => f.member_ids?.some(isIt))
  if (joined) {
    throw conflict(`cluster "${cluster.name}" is a member of federation "${joined.name}"`, {
      hint: memberHint,
      next: [nextStep('remove it first', 'federation unjoin', joined.name ?? joined.uuid, cluster.name)],
      details: { cluster: cluster.uuid, federation: joined.uuid },
    })
  }
}

/** A server that has no federations, or does not show them to this user, does not stop a deletion; an error does. */
async function visible(context: MagnumContext, call: Call): Promise<Listed> {
  try {
    return { federations: await listFederations(await context.session.magnum(call.signal), {}, false) }
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(error instanceof CoeError)) throw error
    const { status } = error.details
    if (status === 404 || status === 405 || status === 406) return { federations: [] }
    const unlisted = `coe could not check whether it is in a federation: ${error.message}`
    if (error.outcome !== 'denied') {
      throw failed(unlisted, { hint: '--force deletes without this check', cause: error, details: error.details })
    }
    return { federations: [], unlisted }
  }
}
