/** Keeps the record of a federation while one run changes it: its start, what it saves, and its end. */
import { CoeError, conflict, notFound } from '../../core/errors.ts'
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { Lock } from '../../kube/ownership/lease.ts'
import { type Intent, kept } from '../records/intent.ts'
import { type Located, noFederation } from '../records/on-host.ts'
import { type FederationRecord, readRecord, writeRecord } from '../records/record.ts'
import { ended, type HistoryEntry, isSettledBy, type Verb, withEntry } from './history.ts'

export interface Change {
  verb: Verb
  /** `c2, c3` */
  about?: string
  /** All names, as in the history. */
  members?: readonly string[]
  /** Adds this request to the recorded intent, which is kept until it is done. */
  asks?(intent: Intent): Intent
}

export interface Journal {
  readonly found: FederationRecord
  readonly host: ClusterApi
  readonly change: Change
  readonly lock: Lock
  readonly entry: HistoryEntry
  readonly clock: Clock
  /** The record as it was before this change began. */
  before: FederationRecord
  /** The record as it was read or written last. */
  stored: FederationRecord
  /** Another run changed the federation after it was found, before the lock was taken. */
  stale: boolean
  /** This run changed something. */
  changed: boolean
  /** The record goes away with its namespace: its end is not written. */
  gone: boolean
}

export interface End {
  error?: string | undefined
  unfinished?: string | undefined
  /** The part of the intent that is still to do. */
  left?: ((intent: Intent) => Intent) | undefined
}

export async function openJournal(
  { host, record: found }: Located,
  change: Change,
  { lock, clock, by }: { lock: Lock; clock: Clock; by: string },
): Promise<Journal> {
  const { verb, about, members } = change
  const entry: HistoryEntry = {
    verb,
    run: lock.runId,
    begun: timeOf(clock),
    result: 'running',
    by,
    ...(about ? { about } : {}),
    ...(members ? { members } : {}),
  }
  // a half-made federation that was just found has no version to write against
  const before = found.version === undefined ? await readAgain({ host, found, lock }) : found
  const states = { stale: false, changed: false, gone: false }
  return { found, host, change, lock, entry, clock, before, stored: before, ...states }
}

export async function begin(journal: Journal): Promise<void> {
  try {
    await writeBeginning(journal)
  } catch (error) {
    // the run that held the lock before has changed or deleted it since it was found
    if (!(error instanceof CoeError) || (error.outcome !== 'conflict' && error.outcome !== 'notFound')) throw error
    journal.stored = await readAgain(journal)
    journal.before = journal.stored
    journal.stale = true
    await writeBeginning(journal)
  }
}

async function writeBeginning(journal: Journal): Promise<void> {
  const { stored, change, entry, lock } = journal
  if (isOwn(journal, stored)) return
  const intent = change.asks ? kept(change.asks(stored.intent ?? {})) : stored.intent
  await write(journal, { history: withEntry(stored.history, entry), intent }, lock.signal)
}

export async function save(journal: Journal, changes: Partial<FederationRecord>): Promise<void> {
  journal.changed = true
  await write(journal, changes, journal.lock.signal)
}

/** Called after an outage of the host. Rejects if another run has changed the federation meanwhile. */
export async function confirm(journal: Journal): Promise<void> {
  if (journal.gone) return
  const there = await readAgain(journal)
  if (!isOwn(journal, there) && there.version !== journal.stored.version) {
    throw conflict(`federation "${there.name}" was changed by another run while its host was away`, {
      hint: 'run this again',
    })
  }
  journal.stored = there
}

export async function close(journal: Journal, { error, unfinished, left }: End, limit?: AbortSignal): Promise<void> {
  if (journal.gone) return
  const { before, stored, change, changed, lock } = journal
  const without = ({ intent = {} }: FederationRecord) => kept(left ? left(intent) : intent)
  const done = error === undefined
  // a run that changed nothing leaves no entry, but its success clears the failure before it
  const settles = done && (isSettledBy(before.history, change) || !sameIntent(without(stored), before.intent))
  const marks = changed || stored.state === 'creating' || settles
  const rest = without(done || marks ? stored : before)
  const history = ended(stored.history, lock.runId, { at: timeOf(journal.clock), error, unfinished })
  if (marks) await write(journal, { history, intent: rest }, limit)
  else await writeAsIs(journal, { history: before.history, updatedAt: before.updatedAt, intent: rest }, limit)
}

const sameIntent = (one: Intent | undefined, other: Intent | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const isOwn = ({ lock }: Journal, record: FederationRecord): boolean => record.history.at(-1)?.run === lock.runId

const write = (journal: Journal, changes: Partial<FederationRecord>, signal: AbortSignal | undefined): Promise<void> =>
  writeAsIs(journal, { ...changes, updatedAt: timeOf(journal.clock) }, signal)

async function writeAsIs(
  journal: Journal,
  changes: Partial<FederationRecord>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { host, stored, lock } = journal
  journal.stored = await writeRecord(host, { ...stored, ...changes }, lock.runId, signal)
}

async function readAgain({ host, found, lock }: Pick<Journal, 'host' | 'found' | 'lock'>): Promise<FederationRecord> {
  const there = await readRecord(host, found.namespace, lock.signal)
  // names on this machine are not in the record
  if (there?.uuid === found.uuid) return { ...there, contextName: found.contextName, host: found.host }
  throw deletedMeanwhile(found.name)
}

const timeOf = (clock: Clock): string => new Date(clock.now()).toISOString()

export const deletedMeanwhile = (name: string): CoeError =>
  notFound(`federation "${name}" was deleted by another run meanwhile`, { details: noFederation })
