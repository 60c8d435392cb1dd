/** Goes on with joins that anybody began: finds, for each cluster on record, what it is called on this machine. */
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
import { reached, reachedBy } from './reach.ts'

interface Federation {
  name: string
  place: FederationPlace
  host: Located
}

/** Those that cannot be reached from here fail by name; the others join. */
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
    const look = await resultOf(hereCalled(deps, intent, references(identity), how, { name, next }))
    if (look.ok) return { intent, cluster: look.value }
    if (look.error instanceof CoeError) return { intent, error: look.error }
    throw look.error
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
  /** Of the federation. */
  name: string
  next: CoeStep
}

/** The reference on this machine that leads to that cluster. */
async function hereCalled(
  deps: Standalone,
  intent: MemberIntent,
  references: MemberReferences,
  { contexts = {} }: ResumeOptions,
  { name: federation, next }: Naming,
): Promise<string> {
  const { name, uid, server = '' } = intent
  const given = contexts[name]
  if (given !== undefined) {
    if (uid !== undefined) return (await reachedBy(deps, { name, uid, server }, given)).reference
    return (await findCluster(deps, given, 'member')).reference
  }
  // without its identity, an address may be trusted, and a name may not
  const found =
    uid === undefined
      ? references.known[0]
      : (await reached(deps, references, { name, uid, server }, federation))?.reference
  const reference = found ?? (uid === undefined ? undefined : await anywhere(deps, uid))
  if (reference !== undefined) return reference
  throw notFound(
    `no context here leads to "${name}", which is to join${server ? ` (its API server: ${server})` : ''}`,
    {
      next: [extended(next, 'name one that does', { option: 'member-context', value: `${name}=CONTEXT` })],
      details: { member: name },
    },
  )
}

/** In the last resort, each cluster of the kubeconfig is asked which one it is. */
async function anywhere(deps: Standalone, uid: string): Promise<string | undefined> {
  const contexts = await (await deps.local.contexts()).clusters()
  const { signal } = deps.call
  const looks = await lookAtEach(deps, contexts, async context => (await lookInto(deps, context)).identity({ signal }))
  return looks.find(look => look.ok && look.value === uid)?.item
}
