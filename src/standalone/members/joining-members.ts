/** Clusters that join once a federation is created: they are checked before its creation, and kept in its record. */

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
/** A cluster that does not answer does not stop the creation: its join reports it later. */
const limitMs = 5_000

type Entered = Awaited<ReturnType<typeof findAccess>>

export interface NamedCluster extends Entered {
  request: MemberRequest
  /** Its name in the federation. */
  member: string
}

/** Rejects for a cluster that cannot be found, and for a name that a member cannot have. */
export const namedJoining = (
  deps: Standalone,
  requests: readonly MemberRequest[],
  driver: Pick<FederationDriver, 'memberNameProblem'>,
): Promise<NamedCluster[]> =>
  mapLimit(requests, 8, async request => {
    const { cluster, name } = request
    if (name !== undefined) checkMemberName(name, driver, other => `use "name: ${other}" in the file`)
    const entered = await findAccess(deps, cluster)
    return { ...entered, request, member: name ?? suggestedName(entered.name, driver.memberNameProblem) }
  })

/** @param uuid of the federation to create: a cluster that is its member already is not refused */
export async function checkJoining(
  deps: Standalone,
  joining: readonly NamedCluster[],
  uuid: string,
): Promise<{ findings: Finding[]; members: MemberIntent[] }> {
  const checks = await mapLimit(joining, atOnce, async one => {
    const answer = await resultOf(membershipOf(deps, one))
    deps.call.signal.throwIfAborted()
    const observed = answer.ok ? answer.value : undefined
    const owner = observed?.member
    const findings = owner && owner.uuid !== uuid ? [takenBy(one.request.cluster, owner)] : []
    return { findings, member: intentOf(one, observed?.uid) }
  })
  return { findings: checks.flatMap(one => one.findings), members: checks.map(one => one.member) }
}

async function membershipOf(deps: Standalone, { access, reference }: NamedCluster) {
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
    // the members of a creation may include its host
    allowHost: true,
  }
}

const takenBy = (cluster: string, { federation, member }: Membership): Finding => ({
  id: 'other-federation',
  level: 'error',
  outcome: 'conflict',
  message: `"${cluster}" is already a member of federation "${federation}"`,
  hint: 'a cluster can be a member of one federation only',
  next: [standaloneStep('take it out', 'federation unjoin', federation, member || cluster)],
})
