/** A change of a federation: under its lock, with its start and its end in the record. */
import { once } from 'node:events'
import { CoeError, conflict } from '../../core/errors.ts'
import { standaloneStep } from '../../core/next-step.ts'
import type { Clock } from '../../core/world.ts'
import { isNamespaceEnding, isNotFound } from '../../kube/api/errors.ts'
import { type Lock, takeLock } from '../../kube/ownership/lease.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { EngineDeps } from '../deps.ts'
import type { Intent } from '../records/intent.ts'
import { labelsOf, recordName } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import type { FederationRecord } from '../records/record.ts'
import { begin, type Change, close, confirm, deletedMeanwhile, type Journal, openJournal, save } from './journal.ts'
import { type Notice, notify, type Phase } from './notify.ts'
import { isFromHost, type Outages, throughOutages } from './outage.ts'

export type { Change } from './journal.ts'

export interface Run {
  /** Of the lock: in each record that is written under it. */
  readonly runId: string
  /** Ends this attempt: the lock is in doubt, or the user stopped the run. */
  readonly signal: AbortSignal
  /** The operation, with what is left of its time. */
  readonly op: ScopedOperation
  readonly clock: Clock
  /** As it is now. */
  record(): FederationRecord
  /** Somebody changed the federation between the look at it and the lock: what was seen may no longer be so. */
  readonly stale: boolean
  /** An attempt before this one was cut off by an outage of the host, and may have done some of the work. */
  readonly resumed: boolean
  save(changes: Partial<FederationRecord>): Promise<void>
  /** Something was written, or is about to be: a run that changed nothing leaves no mark on the federation. */
  changed(): void
  /** Does this failure mean that the host does not answer? */
  isCutOff(error: unknown): boolean
  /** The lock goes away with its namespace. */
  lockGoesWithNamespace(): void
  /** The record goes away with its namespace: its end is not written. */
  recordIsGone(): void
}

export interface Work<T> {
  value: T
  /** What it did only partly worked: why. */
  problem?: string | undefined
  /** It was not to be done to its end: why. */
  unfinished?: string | undefined
  /** The host did not answer on the way. Where it comes back, the work is done again in place of this result. */
  cutOff?: unknown
  /** What is left to do, of what was asked for. */
  left?(intent: Intent): Intent
}

/** @param work may be done again when the host was away for a while: what it has done by then it must find done */
export async function changing<T>(
  deps: EngineDeps,
  located: Located,
  change: Change,
  op: ScopedOperation,
  work: (run: Run) => Promise<Work<T>>,
): Promise<T> {
  const { clock } = deps.world
  const until = clock.now() + op.waitTimeoutMs
  const lock = await lockFor(deps, located, change, op)
  try {
    const journal = await openJournal(located, change, { lock, clock, by: op.caller.name })
    const outages = { lock, host: located.host, op, until, clock, check: () => confirm(journal) }
    return await underLock({ journal, outages, announced: announcements(deps, journal) }, work)
  } finally {
    await lock.release()
  }
}

function lockFor(deps: EngineDeps, { host, record }: Located, change: Change, op: ScopedOperation): Promise<Lock> {
  const { name, uuid, namespace } = record
  return takeLock({
    world: deps.world,
    api: host,
    namespace,
    name: recordName,
    what: `federation "${name}"`,
    doing: [change.verb, change.about].filter(Boolean).join(' '),
    labels: labelsOf(name, uuid),
    patienceMs: op.waitTimeoutMs,
    signal: op.signal,
    note: text => op.report.note(text),
  }).catch((error: unknown) => {
    // it takes its namespace to lock it
    if (isNotFound(error)) throw deletedMeanwhile(name)
    throw isNamespaceEnding(error) ? endsMeanwhile(name, error as CoeError) : error
  })
}

interface UnderLock {
  journal: Journal
  outages: Outages
  announced: Announcements
}

async function underLock<T>(
  { journal, outages, announced }: UnderLock,
  work: (run: Run) => Promise<Work<T>>,
): Promise<T> {
  await throughOutages(outages, async () => ({ value: await begin(journal) }))
  announced.tell('started')
  let attempts = 0
  try {
    const done = await throughOutages(outages, () => work(runOf(journal, outages, attempts++ > 0)))
    const { value, problem, unfinished, left } = done
    await throughOutages(outages, async () => ({ value: await close(journal, { error: problem, unfinished, left }) }))
    // only now: had it not come into the record, it would have failed. What was left unfinished has no end to tell of
    if (unfinished === undefined) announced.tell(problem === undefined ? 'done' : 'failed', problem)
    await announced.delivered()
    return value
  } catch (error) {
    // who has lost the lock writes nothing any more; after Ctrl-C it is still ours
    if (journal.lock.isHeld()) await lastWords(journal, announced, reasonOf(error))
    throw error
  }
}

const runOf = (journal: Journal, { op, until, clock }: Outages, resumed: boolean): Run => ({
  runId: journal.lock.runId,
  signal: journal.lock.signal,
  get op() {
    return { ...op, waitTimeoutMs: Math.max(0, until - clock.now()) }
  },
  clock,
  record: () => journal.stored,
  stale: journal.stale,
  resumed,
  save: changes => save(journal, changes),
  changed() {
    journal.changed = true
  },
  isCutOff: error => isFromHost(error, journal.host),
  lockGoesWithNamespace: () => journal.lock.endsWithItsNamespace(),
  recordIsGone() {
    journal.gone = true
  },
})

/** A server that does not answer any more may be why it failed: nobody waits for it to be told so. */
const lastWordsMs = 5_000

async function lastWords(journal: Journal, announced: Announcements, error: string): Promise<void> {
  const limit = AbortSignal.timeout(lastWordsMs)
  announced.tell('failed', error)
  await Promise.race([announced.delivered(), once(limit, 'abort')])
  await close(journal, { error }, limit).catch(() => {})
}

interface Announcements {
  tell(phase: Phase, error?: string): void
  delivered(): Promise<unknown>
}

/** Whoever wants to hear of the change does, while it goes on. */
function announcements({ webhook, noteOnce }: EngineDeps, journal: Journal): Announcements {
  const { found, change, lock, clock, host } = journal
  const { name, uuid, namespace } = found
  const { verb, about } = change
  const sent: Promise<void>[] = []
  return {
    tell(phase, error) {
      const at = new Date(clock.now()).toISOString()
      const federation = { name, uuid, namespace }
      const notice: Notice = { verb, phase, federation, about, error, run: lock.runId, at, by: journal.entry.by ?? '' }
      sent.push(notify(notice, { host: journal.gone ? undefined : host, webhook, warn: noteOnce }))
    },
    delivered: () => Promise.all(sent),
  }
}

const endsMeanwhile = (name: string, { details, message: why }: CoeError) =>
  conflict(`federation "${name}" is being deleted: ${why}`, {
    next: [standaloneStep('this waits until it is gone', 'federation delete', name, { option: 'yes' })],
    details,
  })

const reasonOf = (error: unknown): string =>
  error instanceof CoeError ? error.message : `an unexpected error: ${error instanceof Error ? error.message : error}`
