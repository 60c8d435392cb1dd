/**
 * Before a cluster is deleted: is it the host or a member of a federation that was made without Magnum? No database knows them, so
 * the cluster itself is asked. Whatever deletes clusters uses this.
 */

import { conflict } from '../../core/errors.ts'
import { optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { statusOf } from '../api/errors.ts'
import { type FederationMarks, type Hosting, type Membership, readMarksByName } from './federation-marks.ts'
import { marksReader } from './marks-access.ts'

/** For all of it, the credentials included: a user waits to have the cluster deleted. */
const limitMs = 5_000

export interface Guarded {
  name: string
  uuid: string
  /** How standalone mode names it: `magnum:prod`. */
  reference: string
  /** Of its API. */
  address: string
}

export interface MarksCheck {
  /** Undefined where there is nobody to ask, or no answer. */
  marks?: FederationMarks
  /** Why there was no answer, or not a whole one. Whether the cluster is deleted all the same is for the caller to decide. */
  unchecked?: string
}

/** @param enter gives access to its API as a user who may read marks */
export async function checkMarks(
  cluster: Guarded,
  enter: (signal: AbortSignal) => Promise<ClusterApi>,
  signal: AbortSignal,
): Promise<MarksCheck> {
  const limit = AbortSignal.timeout(limitMs)
  const limited = AbortSignal.any([signal, limit])
  try {
    const { all, ...marks } = await readMarksByName(await enter(limited), { signal: limited })
    return { marks, ...(all ? {} : { unchecked: notChecked(cluster) }) }
  } catch (error) {
    signal.throwIfAborted()
    if (statusOf(error) === 403) return { unchecked: notChecked(cluster) }
    if (statusOf(error) === 404) return {} // something answers, and it has no such API
    const why = limit.aborted ? `no answer within ${limitMs / 1000} s (${cluster.address})` : (error as Error).message
    return { unchecked: `whether a federation needs cluster "${cluster.name}" could not be seen: ${why}` }
  }
}

/** Marks that an administrator, or an older coe, made without the grant; most clusters have neither marks nor grant. */
const notChecked = ({ name }: Guarded): string =>
  `whether a federation made without Magnum needs cluster "${name}" was not looked at: it does not let group "${marksReader}" read the marks (docs/rbac.md)`

export function refuseMarked(cluster: Guarded, marks: FederationMarks | undefined): void {
  const hosted = marks?.hosts ?? []
  if (hosted.length > 0) throw isHost(cluster, hosted)
  if (marks?.member) throw isMember(cluster, marks.member)
}

const anyway = '--force deletes the cluster all the same'

function isHost({ name, uuid, reference }: Guarded, hosted: readonly Hosting[]) {
  const names = hosted.map(h => h.federation)
  const which = names.length > 1 ? 'federations' : 'federation'
  const first = `delete ${names.length > 1 ? 'them' : 'it'} first`
  return conflict(`cluster "${name}" is the host of ${which} ${names.map(n => `"${n}"`).join(', ')}`, {
    hint: anyway,
    next: [standaloneStep(first, 'federation delete', ...names, ...optionArgs('host', reference))],
    details: { cluster: uuid, federation: hosted[0]?.uuid },
  })
}

function isMember({ name, uuid: cluster }: Guarded, { federation, member, host, uuid }: Membership) {
  // contexts are private to one machine; what has a prefix means the same on every one
  const where = optionArgs('host', host.includes(':') ? host : undefined)
  return conflict(`cluster "${name}" is a member of federation "${federation}"${host && ` on host "${host}"`}`, {
    hint: anyway,
    next: [standaloneStep('take it out first', 'federation unjoin', federation, member || name, ...where)],
    details: { cluster, federation: uuid },
  })
}
