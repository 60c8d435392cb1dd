/** Finishes joins that any user began: finds, for each recorded cluster, its reference on this machine. */
import { mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError, notFound } from '../../core/errors.ts'
import { type CoeStep, extended } from '../../core/next-step.ts'
import type { Options } from '../../drivers/driver-api.ts'
import type { FederationPlace, MemberOutcome } from '../../model/backend.ts'
import type { MemberReferences } from '../../model/local-state.ts'
import type { MemberRequest } from '../../model/member-request.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { ResumeOptions } from '../../model/resume.ts'
import type { Standalone } from '../deps.ts'
import type { MemberIntent } from '../records/intent.ts'
import type { Located } from '../records/on-host.ts'
import { lookAtEach, lookInto } from '../references/look.ts'
import { findCluster } from '../references/references.ts'
import { joinMembers } from './join.ts'
import { openMember, openMemberBy } from './reach.ts'

interface Federation {
  name: string
  place: FederationPlace
  host: Located
}

/** Clusters that no reference on this machine leads to fail, each with its name; the others join. */
export async function finishJoins(
  deps: Standalone,
  { name, place, host }: Federation,
  intents: readonly MemberIntent[],
  op: ScopedOperation,
  { how, next, driverOptions }: { how: ResumeOptions; next: CoeStep; driverOptions: Options },
): Promise<MemberOutcome[]> {
  const references = await deps.local.clusters.references()
  const found = await mapLimit(intents, 16, async intent => {
    const identity = { uid: '', server: '', reference: '', ...intent }
    const reference = await resultOf(referenceFor(deps, intent, references(identity), how, { name, next }))
    if (reference.ok) return { intent, cluster: reference.value }
    if (reference.error instanceof CoeError) return { intent, error: reference.error }
    throw reference.error
  })
  const requests = found.flatMap(one => ('cluster' in one ? [requestOf(one.intent, one.cluster)] : []))
  const { uid } = host.record.host
  const allowHost = intents.some(intent => intent.allowHost && (intent.uid ?? uid) === uid)
  const joining = { ...(allowHost ? { allowHost } : {}), driverOptions, resume: next }
  const joined = requests.length > 0 ? await joinMembers(deps, name, requests, place, op, joining) : []
  return found.map(one => {
    const cluster = one.intent.name
    if ('error' in one) return { cluster, result: 'failed', error: one.error }
    const outcome = joined.find(o => o.cluster === one.cluster)
    return { result: 'failed', ...outcome, cluster }
  })
}

const requestOf = ({ name, settings }: MemberIntent, cluster: string): MemberRequest => ({
  cluster,
  name,
  ...settings,
})

interface Naming {
  /** Name of the federation. */
  name: string
  next: CoeStep
}

/** Finds the reference on this machine that leads to the cluster. */
async function referenceFor(
  deps: Standalone,
  intent: MemberIntent,
  references: MemberReferences,
  { contexts = {} }: ResumeOptions,
  { name: federation, next }: Naming,
): Promise<string> {
  const { name, uid, server = '' } = intent
  const stated = contexts[name]
  if (stated !== undefined) {
    if (uid !== undefined) return (await openMemberBy(deps, { name, uid, server }, stated)).reference
    return (await findCluster(deps, stated, 'member')).reference
  }
  // if the record has no uid, the server address identifies the cluster; a name is not enough
  const found =
    uid === undefined
      ? references.known[0]
      : (await openMember(deps, references, { name, uid, server }, federation))?.reference
  const reference = found ?? (uid === undefined ? undefined : await searchContexts(deps, uid))
  if (reference !== undefined) return reference
  throw notFound(
    `no context here leads to "${name}", which still has to join${server ? ` (its API server: ${server})` : ''}`,
    {
      next: [extended(next, 'name a context for it', { option: 'member-context', value: `${name}=CONTEXT` })],
      details: { member: name },
    },
  )
}

/** The last resort: reads the uid of every cluster in the kubeconfig. */
async function searchContexts(deps: Standalone, uid: string): Promise<string | undefined> {
  const contexts = await (await deps.local.contexts()).clusters()
  const { signal } = deps.call
  const identities = await lookAtEach(deps, contexts, async context =>
    (await lookInto(deps, context)).identity({ signal }),
  )
  return identities.find(one => one.ok && one.value === uid)?.item
}
