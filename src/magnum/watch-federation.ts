/** Looking at a federation until it is as wanted; and finding out whether this Magnum keeps federations at all. */
import { CoeError, failed } from '../core/errors.ts'
import { poll } from '../core/poll.ts'
import type { Federation } from '../model/federation.ts'
import type { Operation } from '../model/operation.ts'
import { hasFailed, isMoving } from '../model/status.ts'
import { getFederation } from '../openstack/magnum-api/federations.ts'
import type { MagnumContext } from './magnum-context.ts'

/** A server that keeps federations has stored a new one by then; the others never do. */
const facadeMs = 15_000

/** After a 202: the stored federation, or the plain truth about a Magnum that keeps none. */
export async function isStored(
  context: MagnumContext,
  uuid: string,
  names: { name: string; host: string },
  op: Operation,
): Promise<Federation> {
  const service = await context.session.magnum()
  const look = () =>
    getFederation(service, uuid).catch((error: unknown) => {
      if (error instanceof CoeError && error.outcome === 'notFound') return undefined
      throw error
    })
  op.report.step(names.name, 'accepted; looking whether it was stored')
  try {
    return await poll(look, {
      clock: context.clock,
      timeoutMs: facadeMs,
      intervalMs: 250,
      maxIntervalMs: 2_000,
      signal: op.signal,
      what: `federation "${names.name}" to be stored`,
    })
  } catch (error) {
    if (!(error instanceof CoeError) || error.outcome !== 'timeout') throw error
    throw failed(
      `Magnum accepted federation "${names.name}" and did not store it: this Magnum has the federation API and nothing behind it`,
      {
        hint: `the same can be done from here, without Magnum's federations: coe --standalone federation create ${names.name} --host magnum:${names.host}`,
        details: { service: 'magnum', facade: true, uuid },
      },
    )
  }
}

export type FederationGoal = 'complete' | 'gone' | ((federation: Federation) => boolean)

/** How long an accepted change may leave no trace. */
const silenceMs = 45_000

export async function watchFederation(
  context: MagnumContext,
  before: Federation,
  goal: FederationGoal,
  op: Operation,
): Promise<Federation | undefined> {
  const service = await context.session.magnum()
  const name = before.name ?? before.uuid
  const started = context.clock.now()
  let last: Federation | undefined
  let begun = false
  const found = await poll(
    async () => {
      const now = await getFederation(service, before.uuid).catch(gone)
      if (now === 'gone') {
        if (goal !== 'gone') throw failed(`federation "${name}" is gone: somebody deleted it`)
        return { federation: undefined }
      }
      if (now.status !== last?.status) op.report.step(name, String(now.status))
      last = now
      if (hasFailed(now.status) && (begun || !hasFailed(before.status))) throw federationFailed(now)
      begun ||= isMoving(now.status) || now.updated_at !== before.updated_at || now.status !== before.status
      if (!begun && goal !== 'complete' && context.clock.now() - started > silenceMs) throw nothingCame(name, now)
      return isReached(now, goal) ? { federation: now } : undefined
    },
    {
      clock: context.clock,
      timeoutMs: op.waitTimeoutMs,
      signal: op.signal,
      intervalMs: 250,
      maxIntervalMs: 3_000,
      what: `federation "${name}" to be ${goal === 'gone' ? 'gone' : 'as asked for'}`,
      lastSeen: () => (last ? `${last.status}${last.status_reason ? `: ${last.status_reason}` : ''}` : undefined),
    },
  )
  return found.federation
}

function isReached(now: Federation, goal: FederationGoal): boolean {
  if (goal === 'gone' || isMoving(now.status)) return false
  return goal === 'complete' || goal(now)
}

const gone = (error: unknown): 'gone' => {
  if (error instanceof CoeError && error.outcome === 'notFound') return 'gone'
  throw error
}

const federationFailed = (f: Federation): CoeError =>
  failed(`federation "${f.name}" is ${f.status}${f.status_reason ? `: ${f.status_reason}` : ''}`, {
    details: { federation: f.uuid, federation_status: f.status },
  })

const nothingCame = (name: string, f: Federation): CoeError =>
  failed(`Magnum accepted the change of federation "${name}", and then did nothing: it is still ${f.status}`, {
    hint: 'an operator finds the reason in the log of magnum-conductor',
  })
