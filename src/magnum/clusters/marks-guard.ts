/** Federations made without Magnum are not in its database: the cluster itself is asked whether one needs it. */
import { conflict } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import { statusOf } from '../../kube/api/errors.ts'
import {
  type FederationMarks,
  type Hosting,
  type Membership,
  readMarksByName,
} from '../../kube/ownership/federation-marks.ts'
import { marksReader } from '../../kube/ownership/marks-access.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { enterCluster } from './cluster-entry.ts'

/** For all of it, the certificate included: somebody waits to have the cluster deleted. */
const limitMs = 5_000

export interface MarksLook {
  /** Undefined where there is nobody to ask, or no answer. */
  marks?: FederationMarks
  /** Why there was no answer: said, and no reason to keep the cluster. */
  unseen?: string
}

export async function lookForMarks(context: MagnumContext, cluster: Cluster, call: Call): Promise<MarksLook> {
  const { api_address, status } = cluster
  // without an address it never came to life; other addresses are of what is no Kubernetes
  if (!api_address || !/^https?:\/\//.test(api_address) || status === 'DELETE_IN_PROGRESS') return {}
  const limit = AbortSignal.timeout(limitMs)
  const signal = AbortSignal.any([call.signal, limit])
  try {
    const api = await enterCluster(context, { ...cluster, api_address }, signal)
    const { all, ...marks } = await readMarksByName(api, { signal })
    return { marks, ...(all ? {} : { unseen: notLooked(cluster) }) }
  } catch (error) {
    call.signal.throwIfAborted()
    if (statusOf(error) === 403) return { unseen: notLooked(cluster) }
    if (statusOf(error) === 404) return {} // something answers, and it has no such API
    const why = limit.aborted ? `no answer within ${limitMs / 1000} s (${api_address})` : (error as Error).message
    return { unseen: `whether a federation needs cluster "${cluster.name}" could not be seen: ${why}` }
  }
}

/** Marks that an administrator, or an older coe, made without it; on most clusters that there are none at all. */
const notLooked = ({ name }: Cluster): string =>
  `whether a federation made without Magnum needs cluster "${name}" was not looked at: it does not let group "${marksReader}" read the marks (docs/rbac.md)`

export function refuseMarked(cluster: Cluster, marks: FederationMarks | undefined): void {
  const [hosted] = marks?.hosts ?? []
  if (hosted) throw isHost(cluster, marks?.hosts ?? [])
  if (marks?.member) throw isMember(cluster, marks.member)
}

const anyway = '--force deletes the cluster all the same'
const commands = 'coe --standalone federation'

function isHost(cluster: Cluster, hosted: readonly Hosting[]) {
  const names = hosted.map(h => h.federation)
  const which = names.length > 1 ? 'federations' : 'federation'
  return conflict(`cluster "${cluster.name}" is the host of ${which} ${names.map(n => `"${n}"`).join(', ')}`, {
    hint: `delete ${names.length > 1 ? 'them' : 'it'} first: ${commands} delete ${names.map(shellWord).join(' ')} --host ${shellWord(`magnum:${cluster.name}`)}; ${anyway}`,
    details: { cluster: cluster.uuid, federation: hosted[0]?.uuid },
  })
}

function isMember(cluster: Cluster, { federation, member, host, uuid }: Membership) {
  // contexts are private to one machine; what has a prefix means the same on every one
  const where = host.includes(':') ? ` --host ${shellWord(host)}` : ''
  return conflict(
    `cluster "${cluster.name}" is a member of federation "${federation}"${host && ` on host "${host}"`}`,
    {
      hint: `take it out first: ${commands} unjoin ${shellWord(federation)} ${shellWord(member || cluster.name)}${where}; ${anyway}`,
      details: { cluster: cluster.uuid, federation: uuid },
    },
  )
}
