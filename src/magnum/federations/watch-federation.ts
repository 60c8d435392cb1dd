/** Looking at a federation until it is as wanted; and finding out whether this Magnum keeps federations at all. */

import { type CoeError, failed, fallbackOn, hasOutcome } from '../../core/errors.ts'
import { nextStep, optionArgs, standaloneStep } from '../../core/next-step.ts'
import { patient } from '../../core/patience.ts'
import { poll } from '../../core/poll.ts'
import type { Federation } from '../../model/federation.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isDeleted, isDone, isMoving, isRolledBack } from '../../model/status.ts'
import { getFederation } from '../../openstack/magnum-api/federations.ts'
import type { Service } from '../../openstack/service.ts'
import { unknownWatch } from '../failed-states.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { checkAgain, differs, gone, noteStopped, silenceMs, waitUntil } from '../wait-until.ts'

/** A server that keeps federations has stored a new one by then; the others never do. */
export const facadeMs = 15_000

/** After a 202: the stored federation, or the plain truth about a Magnum that keeps none. */
export async function isStored(
  context: MagnumContext,
  uuid: string,
  names: { name: string; host: string },
  op: ScopedOperation,
): Promise<Federation> {
  const service = await context.session.magnum(op.signal)
  const look = () => getFederation(service, uuid).catch(fallbackOn('notFound', undefined))
  op.report.step(names.name, 'accepted; looking whether it was stored')
  try {
    return await poll(patient(look, { clock: context.clock }), {
      clock: context.clock,
      timeoutMs: facadeMs,
      intervalMs: 250,
      maxIntervalMs: 2_000,
      signal: op.signal,
      what: `federation "${names.name}" to be stored`,
    })
  } catch (error) {
    op.report.fail(names.name, 'not stored')
    noteStopped(op, `federation "${names.name}"`, nextStep(checkAgain, 'federation show', names.name))
    if (!hasOutcome(error, 'timeout')) throw error
    throw failed(
      `Magnum accepted federation "${names.name}" and did not store it: this Magnum has the federation API and nothing behind it`,
      {
        next: [
          standaloneStep(
            "the same can be done from here, without Magnum's federations",
            'federation create',
            names.name,
            ...optionArgs('host', `magnum:${names.host}`),
          ),
        ],
        details: { service: 'magnum', facade: true, uuid },
      },
    )
  }
}

export interface FederationWatch {
  /** As it was before the change: without a difference to it, the change has not begun. */
  before: Federation
  /** Completes "to be …": `deleted`. */
  what: string
  goal(federation: Federation): boolean
  /** What was begun must be done as well: the goal is not reached while its status says anything else. */
  atRest?: boolean
  /** That it is gone is as good as the goal; else somebody deleted it under us. */
  orGone?: boolean
  /** What its progress is told as; who gives one also tells the end. */
  label?: string
}

export async function watchFederation(
  context: MagnumContext,
  watch: FederationWatch,
  op: ScopedOperation,
): Promise<Federation | undefined> {
  const { before } = watch
  const name = before.name ?? before.uuid
  const probe = makeProbe(context, watch, op)
  try {
    const { federation } = await waitUntil(context, probe, op, `federation "${name}" to be ${watch.what}`)
    if (watch.label === undefined) op.report.done(name, federation ? (federation.status ?? watch.what) : 'gone')
    return federation
  } catch (error) {
    if (watch.label === undefined) op.report.fail(name)
    noteStopped(op, `federation "${name}"`, nextStep(checkAgain, 'federation show', name))
    throw error
  }
}

function makeProbe(context: MagnumContext, watch: FederationWatch, op: ScopedOperation) {
  const { clock } = context
  const { before } = watch
  const name = before.name ?? before.uuid
  const started = clock.now()
  let last: Federation | undefined
  let begun = false
  const unknown = unknownWatch(clock, `federation "${name}"`, nextStep('inspect', 'federation show', name))
  return {
    seen: () =>
      last ? `${last.status || 'no status'}${last.status_reason ? `: ${last.status_reason}` : ''}` : undefined,
    async look(service: Service): Promise<{ federation: Federation | undefined } | undefined> {
      const now = await getFederation(service, before.uuid).catch(gone)
      if (now === 'gone') {
        if (watch.orGone) return { federation: undefined }
        throw failed(`federation "${name}" is gone: somebody deleted it`)
      }
      const moving = isMoving(now.status)
      if (moving && now.status !== last?.status) op.report.step(watch.label ?? name, String(now.status))
      last = now
      begun ||= differs(now, before)
      const ended = isRolledBack(now.status) || isDeleted(now.status)
      if (begun && (hasFailed(now.status) || (watch.atRest && ended))) throw federationFailed(now)
      if ((!watch.atRest || isDone(now.status)) && watch.goal(now)) return { federation: now }
      const odd = watch.atRest && watch.goal(now) ? unknown(now.status) : undefined
      if (odd) throw odd
      // at rest, and not as asked for: nothing goes on there
      if (!moving && clock.now() - started > silenceMs) throw nothingCame(name, now)
      return undefined
    },
  }
}

export const federationFailed = (f: Federation): CoeError =>
  failed(`federation "${f.name}" is ${f.status}${f.status_reason ? `: ${f.status_reason}` : ''}`, {
    hint: 'it can be deleted',
    next: [nextStep('see all of it', 'federation show', f.name ?? f.uuid)],
    details: { federation: f.uuid, federation_status: f.status },
  })

const nothingCame = (name: string, f: Federation): CoeError =>
  failed(`Magnum accepted the change of federation "${name}", and then did nothing: it is still ${f.status}`, {
    hint: 'its conductor refused, or has nothing behind the federation API; the reason is in the log of magnum-conductor',
    details: { federation: f.uuid, federation_status: f.status, silent: true },
  })
