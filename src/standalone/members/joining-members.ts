/** Clusters that are to be members once a federation stands: looked at before it is made, and noted in its record. */

import { awaitAll, mapLimit, resultOf } from '../../core/concurrency.ts'
import { standaloneStep } from '../../core/next-step.ts'
import type { FederationDriver, Finding } from '../../drivers/driver-api.ts'
import { type Membership, readMarks } from '../../kube/ownership/federation-marks.ts'
import { type MemberRequest, sharedReference } from '../../model/member-request.ts'
import { statedSettings } from '../../model/member-settings.ts'
import type { Standalone } from '../deps.ts'
import type { MemberIntent } from '../records/intent.ts'
import { checkMemberName, suggestedName } from '../records/names.ts'
import { findAccess } from '../references/references.ts'

const atOnce = 16
/** A cluster that does not answer is no reason against the federation: its join will say so. */
const limitMs = 5_000

type Entered = Awaited<ReturnType<typeof findAccess>>

export interface NamedCluster extends Entered {
  request: MemberRequest
  /** In the federation. */
  member: string
}

/** Refused where nobody knows such a cluster, or where its name cannot be. */
export const namedJoining = (
  deps: Standalone,
  requests: readonly MemberRequest[],
  driver: Pick<FederationDriver, 'memberNameProblem'>,
): Promise<NamedCluster[]> =>
  mapLimit(requests, 8, async request => {
    const { cluster, name } = request
    if (name !== undefined) checkMemberName(name, driver, other => `"name: ${other}" in the file would do`)
    const entered = await findAccess(deps, cluster)
    return { ...entered, request, member: name ?? suggestedName(entered.name, driver.memberNameProblem) }
  })

/** @param uuid of the federation that is to be made: its own members are not taken */
export async function lookAtJoining(
  deps: Standalone,
  joining: readonly NamedCluster[],
  uuid: string,
): Promise<{ findings: Finding[]; members: MemberIntent[] }> {
  const looks = await mapLimit(joining, atOnce, async one => {
    const look = await resultOf(lookAt(deps, one))
    deps.call.signal.throwIfAborted()
    const seen = look.ok ? look.value : undefined
    const taken = seen?.member && seen.member.uuid !== uuid ? [takenBy(one.request.cluster, seen.member)] : []
    return { findings: taken, member: intentOf(one, seen?.uid) }
  })
  return { findings: looks.flatMap(look => look.findings), members: looks.map(look => look.member) }
}

async function lookAt(deps: Standalone, { access, reference }: NamedCluster) {
  const api = deps.coe.connect(access, { title: `the API server of member "${reference}"` })
  const signal = AbortSignal.any([deps.call.signal, AbortSignal.timeout(limitMs)])
  const [marks, uid] = await awaitAll([readMarks(api, { signal }), api.identity({ signal })])
  return { uid, member: marks.member }
}

function intentOf({ access, reference, request, member }: NamedCluster, uid: string | undefined): MemberIntent {
  const shared = sharedReference(reference)
  return {
    name: member,
    ...(uid === undefined ? {} : { uid }),
    server: access.server,
    ...(shared === undefined ? {} : { reference: shared }),
    settings: statedSettings(request),
    // a creation lets its host join
    allowHost: true,
  }
}

const takenBy = (cluster: string, { federation, member }: Membership): Finding => ({
  id: 'other-federation',
  level: 'error',
  outcome: 'conflict',
  message: `"${cluster}" is a member of federation "${federation}" already`,
  hint: 'a cluster can be in one at a time',
  next: [standaloneStep('take it out', 'federation unjoin', federation, member || cluster)],
})
