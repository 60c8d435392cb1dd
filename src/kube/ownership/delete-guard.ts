/**
 * Checks, before a cluster is deleted, whether it is the host or a member of a federation made without Magnum. No database
 * records those, so the check reads the marks on the cluster itself. Everything that deletes clusters uses it.
 */

import { conflict } from '../../core/errors.ts'
import { optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { statusOf } from '../api/errors.ts'
import { type FederationMarks, type Hosting, type Membership, readMarksByName } from './federation-marks.ts'
import { marksReader } from './marks-access.ts'

/** The limit for the whole check, credentials included: the user is waiting for the deletion. */
const limitMs = 5_000

export interface Guarded {
  name: string
  uuid: string
  /** Its name in standalone mode: `magnum:prod`. */
  reference: string
  /** The address of its API. */
  address: string
}

export interface MarksCheck {
  /** Undefined if the cluster has no such API, or did not answer. */
  marks?: FederationMarks
  /** Why the marks were not read, or not all of them. The caller decides whether to delete the cluster anyway. */
  unchecked?: string
}

/** @param connect gives access to its API as a user who may read marks */
export async function checkMarks(
  cluster: Guarded,
  connect: (signal: AbortSignal) => Promise<ClusterApi>,
  signal: AbortSignal,
): Promise<MarksCheck> {
  const limit = AbortSignal.timeout(limitMs)
  const limited = AbortSignal.any([signal, limit])
  try {
    const { all, ...marks } = await readMarksByName(await connect(limited), { signal: limited })
    return { marks, ...(all ? {} : { unchecked: notChecked(cluster) }) }
  } catch (error) {
    signal.throwIfAborted()
    if (statusOf(error) === 403) return { unchecked: notChecked(cluster) }
    if (statusOf(error) === 404) return {} // whatever answers there has no such API
    const why = limit.aborted ? `no answer within ${limitMs / 1000} s (${cluster.address})` : (error as Error).message
    return { unchecked: `coe could not check whether a federation needs cluster "${cluster.name}": ${why}` }
  }
}

/** An administrator or an older coe may have made marks without the grant. Most clusters have neither marks nor grant. */
const notChecked = ({ name }: Guarded): string =>
  `coe did not check whether a federation made without Magnum needs cluster "${name}": it does not let group "${marksReader}" read the marks (docs/rbac.md)`

export function refuseMarked(cluster: Guarded, marks: FederationMarks | undefined): void {
  const hosted = marks?.hosts ?? []
  if (hosted.length > 0) throw isHost(cluster, hosted)
  if (marks?.member) throw isMember(cluster, marks.member)
}

export const hostHint = 'its API and its data would be lost with the cluster; --force deletes the cluster anyway'
export const memberHint = 'the federation would keep a dead member; --force deletes the cluster anyway'

function isHost({ name, uuid, reference }: Guarded, hosted: readonly Hosting[]) {
  const names = hosted.map(h => h.federation)
  const which = names.length > 1 ? 'federations' : 'federation'
  const first = `delete ${names.length > 1 ? 'them' : 'it'} first`
  return conflict(`cluster "${name}" is the host of ${which} ${names.map(n => `"${n}"`).join(', ')}`, {
    hint: hostHint,
    next: [standaloneStep(first, 'federation delete', ...names, ...optionArgs('host', reference))],
    details: { cluster: uuid, federation: hosted[0]?.uuid },
  })
}

function isMember({ name, uuid: cluster }: Guarded, { federation, member, host, uuid }: Membership) {
  // a context is private to one machine; a reference with a prefix means the same on every machine
  const where = optionArgs('host', host.includes(':') ? host : undefined)
  return conflict(`cluster "${name}" is a member of federation "${federation}"${host && ` on host "${host}"`}`, {
    hint: memberHint,
    next: [standaloneStep('remove it first', 'federation unjoin', federation, member || name, ...where)],
    details: { cluster, federation: uuid },
  })
}
