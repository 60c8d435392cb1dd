/** Polls a federation until it reaches the goal. Fails as soon as no run works on what is missing. */
import { resultOf } from '../../core/concurrency.ts'
import { type CoeError, failed } from '../../core/errors.ts'
import { type CoeStep, optionArgs, standaloneStep } from '../../core/next-step.ts'
import { patient } from '../../core/patience.ts'
import { poll } from '../../core/poll.ts'
import type { FederationPlace } from '../../model/backend.ts'
import type { Federation } from '../../model/federation.ts'
import { type FederationGoal, goalText, reachedText } from '../../model/federation-goal.ts'
import type { FederationHealth } from '../../model/federation-health.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { isMoving } from '../../model/status.ts'
import type { Standalone } from '../deps.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { membersHere } from '../members/members-here.ts'
import { namespaceRef, uuidLabel } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { findFederation } from '../references/find.ts'
import { findCluster } from '../references/references.ts'
import { unlessNone } from '../references/scan.ts'
import { observe } from './observe.ts'
import { driverOf, placeArgs, siteOf } from './site.ts'
import { federationOf } from './view.ts'

/** A run writes the record of a new federation a moment before it takes the lock. */
const beginningMs = 10_000

interface Seen extends Located {
  federation: Federation
  members: MemberRecord[]
  /** Whether a run is changing it. */
  working: boolean
}

/** Resolves undefined once the federation is gone. */
export async function waitForFederation(
  deps: Standalone,
  ref: string,
  place: FederationPlace,
  goal: FederationGoal,
  op: ScopedOperation,
): Promise<Federation | undefined> {
  const search = findFederation(deps, ref, place)
  const first = await (goal.kind === 'gone' ? search.catch(unlessNone) : search)
  if (!first) return undefined
  const { name, uuid, namespace } = first.record
  const there = { host: first.reference, namespace }
  const uid = goal.kind === 'member' ? await uidOf(deps, goal.cluster) : undefined
  const { clock } = deps.world
  const began = clock.now()
  let last: string | undefined
  const look = async (): Promise<{ federation: Federation | undefined } | undefined> => {
    const now = await lookAt(deps, uuid, there, op.signal)
    if (now === undefined) {
      if (goal.kind === 'gone' && !(await isEnding(first, op.signal))) return { federation: undefined }
      if (goal.kind !== 'gone') throw failed(`federation "${name}" is gone: another run deleted it`)
    }
    const missing = now ? await missingFor(deps, now, goal, uid, op.signal) : 'its namespace is being removed'
    if (missing === undefined) return { federation: now?.federation }
    const beginning = now?.record.history.length === 0 && clock.now() - began < beginningMs
    if (now && !now.working && !beginning) refuseHopeless(now, goal, uid, place)
    if (missing !== last) op.report.step(name, missing)
    last = missing
    return undefined
  }
  try {
    const { federation } = await poll(patient(look, { clock, onTrouble: e => op.report.note(e.message) }), {
      clock,
      timeoutMs: op.waitTimeoutMs,
      signal: op.signal,
      intervalMs: 500,
      what: `federation "${name}" ${goalText(goal)}`,
      lastSeen: () => last,
    })
    op.report.done(name, reachedText(goal))
    return federation
  } catch (error) {
    op.report.fail(name, last)
    throw error
  }
}

async function lookAt(
  deps: Standalone,
  uuid: string,
  place: FederationPlace,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const located = await observe(deps, uuid, place).catch(unlessNone)
  if (!located) return undefined
  const { host, record, working } = located
  const members = await membersHere(deps, host, record, signal)
  return { ...located, members, working, federation: federationOf(record, members, working) }
}

/** Whether its namespace still exists: the record goes first. */
async function isEnding({ host, record }: Located, signal: AbortSignal): Promise<boolean> {
  const live = await host.get(namespaceRef(record.namespace), { signal })
  return live?.metadata.deletionTimestamp !== undefined && live.metadata.labels?.[uuidLabel] === record.uuid
}

/** The uid of the cluster, if the user named it by a context and not by its name in the federation. */
async function uidOf(deps: Standalone, cluster: string): Promise<string | undefined> {
  const found = await resultOf(findCluster(deps, cluster, 'member'))
  return found.ok ? found.value.uid : undefined
}

/** What is missing yet; undefined if nothing is. */
async function missingFor(
  deps: Standalone,
  seen: Seen,
  goal: FederationGoal,
  uid: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { status, status_reason: reason } = seen.federation
  const standing = [status, reason].filter(Boolean).join(': ')
  if (goal.kind === 'gone' || seen.record.state !== 'created' || status?.startsWith('DELETE_')) return standing
  const member = goal.kind === 'member' ? memberMeant(seen, goal.cluster, uid) : undefined
  if (goal.kind === 'member' && member?.state !== 'joined') {
    return member ? `member "${member.name}" is ${member.state}` : `"${goal.cluster}" is not a member`
  }
  const { federations: driver } = await driverOf(deps, seen)
  const health = await driver.open(siteOf(seen, signal)).health()
  return member ? missingOfMember(health, member.name) : missingOfAll(health)
}

const memberMeant = ({ members }: Seen, cluster: string, uid: string | undefined): MemberRecord | undefined =>
  members.find(m => m.name === cluster) ??
  members.find(m => m.uid === cluster || (uid !== undefined && m.uid === uid)) ??
  members.find(m => uid === undefined && m.reference === cluster.replace(/^kube:/, ''))

function missingOfAll({ api, components }: FederationHealth): string | undefined {
  const part = components.find(c => !c.ready)
  if (part) return `${part.name}: ${part.reason ?? `${part.replicas.ready} of ${part.replicas.wanted} ready`}`
  return api.reachable ? undefined : `its API: ${api.reason ?? 'it does not answer'}`
}

function missingOfMember({ api, members = [] }: FederationHealth, name: string): string | undefined {
  if (!api.reachable) return `its API: ${api.reason ?? 'it does not answer'}`
  const member = members.find(m => m.name === name)
  if (member?.ready === true) return undefined
  const why = [member?.reason, member?.message].filter(Boolean).join(': ')
  return `member "${name}" is not ready${why ? `: ${why}` : ''}`
}

/** Throws for a goal that will not be reached, as no run works on it. */
function refuseHopeless(seen: Seen, goal: FederationGoal, uid: string | undefined, place: FederationPlace): void {
  const { record, federation, reference } = seen
  const { name } = record
  const { status } = federation
  const because = `federation "${name}" is ${status}: ${federation.status_reason ?? 'no run is working on it'}`
  const deleting = status?.startsWith('DELETE_') === true
  if (deleting && !isMoving(status))
    throw hopeless(because, standaloneStep(finish, 'federation delete', name, ...optionArgs('host', reference)), seen)
  if (goal.kind === 'gone') return
  if (deleting) throw hopeless(because, undefined, seen)
  if (record.state !== 'created')
    throw hopeless(because, { ...siteOf(seen, AbortSignal.abort()).creation, why: finish }, seen)
  const member = goal.kind === 'member' ? memberMeant(seen, goal.cluster, uid) : undefined
  if (member?.state !== 'joining') return
  const cluster = member.reference || member.name
  throw hopeless(
    `the join of "${member.name}" to federation "${name}" was not finished`,
    standaloneStep(finish, 'federation join', name, cluster, ...placeArgs(place)),
    seen,
  )
}

const finish = 'finish it with'

const hopeless = (message: string, step: CoeStep | undefined, { federation }: Seen): CoeError =>
  failed(message, {
    next: step && [step],
    details: { federation: federation.uuid, federation_status: federation.status },
  })
