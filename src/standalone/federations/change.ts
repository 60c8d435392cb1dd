/** Runs a change of a federation under its lock, and records its start and end. */
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
  /** Identifies the lock; each record that is written under it has it. */
  readonly runId: string
  /** Aborts this attempt if the lock is in doubt or the user stops the run. */
  readonly signal: AbortSignal
  /** The operation, with the time that remains. */
  readonly op: ScopedOperation
  readonly clock: Clock
  /** The record as it is now. */
  record(): FederationRecord
  /** Another run changed the federation before this one got the lock: what was read earlier may be out of date. */
  readonly stale: boolean
  /** An outage of the host cut off an earlier attempt, which may have done part of the work. */
  readonly resumed: boolean
  save(changes: Partial<FederationRecord>): Promise<void>
  /** Call it before the first write: a run that changed nothing leaves no entry in the record. */
  changed(): void
  /** Whether the failure means that the host does not answer. */
  isCutOff(error: unknown): boolean
  /** The lock goes away with its namespace. */
  lockGoesWithNamespace(): void
  /** The record goes away with its namespace: its end is not written. */
  recordIsGone(): void
}

export interface Work<T> {
  value: T
  /** Why the work succeeded only in part. */
  problem?: string | undefined
  /** Why the work was not meant to be finished. */
  unfinished?: string | undefined
  /** The host stopped answering. If it comes back, the work is repeated, and its new result replaces this one. */
  cutOff?: unknown
  /** The part of the intent that is still to do. */
  left?(intent: Intent): Intent
}

/** @param work may be repeated after an outage of the host: it must recognise what it has done already */
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
    // the lock is in the namespace, so without that the federation is gone
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
    // announce success only after the record was written, as that can fail; unfinished work has no end to announce
    if (unfinished === undefined) announced.tell(problem === undefined ? 'done' : 'failed', problem)
    await announced.delivered()
    return value
  } catch (error) {
    // a run that lost the lock must not write; after Ctrl-C it still holds the lock
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

/** The limit for recording a failure: the cause may be a server that no longer answers. */
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

/** Sends Events and webhook calls while the change runs. */
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
