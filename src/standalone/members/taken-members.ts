/** Of the clusters that are to be members once a federation stands: those that another has, told before it is made. */
import { mapLimit, settle } from '../../core/concurrency.ts'
import { shellWord } from '../../core/shell-word.ts'
import type { Finding } from '../../drivers/driver-api.ts'
import { type Membership, readMarks } from '../../kube/ownership/federation-marks.ts'
import type { MemberRequest } from '../../model/member-request.ts'
import type { Standalone } from '../deps.ts'
import { enterCluster } from '../references/references.ts'

const atOnce = 16
/** A cluster that does not answer is no reason against the federation: its join will say so. */
const limitMs = 5_000

/** @param uuid of the federation that is to be made: its own members are not taken */
export async function takenMembers(
  deps: Standalone,
  requests: readonly MemberRequest[],
  uuid: string,
): Promise<Finding[]> {
  const found = await mapLimit(requests, atOnce, async ({ cluster }) => {
    const look = await settle(markOf(deps, cluster))
    deps.call.signal.throwIfAborted()
    return look.ok && look.value && look.value.uuid !== uuid ? [taken(cluster, look.value)] : []
  })
  return found.flat()
}

async function markOf(deps: Standalone, cluster: string): Promise<Membership | undefined> {
  const { api } = await enterCluster(deps, cluster, 'member')
  const signal = AbortSignal.any([deps.call.signal, AbortSignal.timeout(limitMs)])
  return (await readMarks(api, { signal })).member
}

const taken = (cluster: string, { federation, member }: Membership): Finding => ({
  id: 'other-federation',
  level: 'error',
  outcome: 'conflict',
  message: `"${cluster}" is a member of federation "${federation}" already`,
  hint: `a cluster can be in one at a time; coe --standalone federation unjoin ${shellWord(federation)} ${shellWord(member || cluster)} takes it out`,
})
