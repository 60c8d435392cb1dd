/** Waits until a federation reaches its goal, and detects a Magnum that does not store federations. */

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
import { checkAgain, differs, gone, noEffectMs, noteStopped, waitUntil } from '../wait-until.ts'

/** A server that stores federations has stored a new one within this time; the others never do. */
export const facadeMs = 15_000

/** After a 202: the stored federation, or an error if this Magnum stores none. */
export async function isStored(
  context: MagnumContext,
  uuid: string,
  names: { name: string; host: string },
  op: ScopedOperation,
): Promise<Federation> {
  const service = await context.session.magnum(op.signal)
  const find = () => getFederation(service, uuid).catch(fallbackOn('notFound', undefined))
  op.report.step(names.name, 'accepted; checking that it is stored')
  try {
    return await poll(patient(find, { clock: context.clock }), {
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
      `Magnum accepted federation "${names.name}" but did not store it: this Magnum has the federation API without an implementation`,
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
  /** The federation before the change: while nothing differs from it, the change has not started. */
  before: Federation
  /** Completes "to be …": `deleted`. */
  what: string
  goal(federation: Federation): boolean
  /** The status must be complete as well. */
  untilComplete?: boolean
  /** A deleted federation counts as the goal; otherwise it is an error. */
  orGone?: boolean
  /** The id of its progress line. A caller that sets it also reports the end. */
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
    lastState: () =>
      last ? `${last.status || 'no status'}${last.status_reason ? `: ${last.status_reason}` : ''}` : undefined,
    async check(service: Service): Promise<{ federation: Federation | undefined } | undefined> {
      const now = await getFederation(service, before.uuid).catch(gone)
      if (now === 'gone') {
        if (watch.orGone) return { federation: undefined }
        throw failed(`federation "${name}" is gone: another client deleted it`)
      }
      const moving = isMoving(now.status)
      if (moving && now.status !== last?.status) op.report.step(watch.label ?? name, String(now.status))
      last = now
      begun ||= differs(now, before)
      const ended = isRolledBack(now.status) || isDeleted(now.status)
      if (begun && (hasFailed(now.status) || (watch.untilComplete && ended))) throw federationFailed(now)
      if ((!watch.untilComplete || isDone(now.status)) && watch.goal(now)) return { federation: now }
      const unknownError = watch.untilComplete && watch.goal(now) ? unknown(now.status) : undefined
      if (unknownError) throw unknownError
      // no change is in progress, and the goal is not reached: the request had no effect
      if (!moving && clock.now() - started > noEffectMs) throw hadNoEffect(name, now)
      return undefined
    },
  }
}

export const federationFailed = (f: Federation): CoeError =>
  failed(`federation "${f.name}" is ${f.status}${f.status_reason ? `: ${f.status_reason}` : ''}`, {
    hint: 'you can delete it',
    next: [nextStep('see all of it', 'federation show', f.name ?? f.uuid)],
    details: { federation: f.uuid, federation_status: f.status },
  })

const hadNoEffect = (name: string, f: Federation): CoeError =>
  failed(`Magnum accepted the change of federation "${name}", but did nothing: it is still ${f.status}`, {
    hint: 'its conductor refused the change or does not implement federations; the log of magnum-conductor has the reason',
    details: { federation: f.uuid, federation_status: f.status, silent: true },
  })
