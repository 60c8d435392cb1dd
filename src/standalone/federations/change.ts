/** A change of a federation: under its lock, with its start and its end in the record. */
import { once } from 'node:events'
import { CoeError, conflict, notFound } from '../../core/errors.ts'
import { standaloneStep } from '../../core/next-step.ts'
import type { Clock } from '../../core/world.ts'
import { isNamespaceEnding, isNotFound } from '../../kube/api/errors.ts'
import { takeLock } from '../../kube/ownership/lease.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { EngineDeps } from '../deps.ts'
import { labelsOf, recordName } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { noFederation } from '../records/on-host.ts'
import { type FederationRecord, readRecord, writeRecord } from '../records/record.ts'
import { ended, type HistoryEntry, isSettledBy, type Verb, withEntry } from './history.ts'
import { notify, type Phase } from './notify.ts'
import { isFromHost, throughOutages } from './outage.ts'

export interface Change {
  verb: Verb
  /** `c2, c3` */
  about?: string
  /** As in the history. */
  members?: readonly string[]
}

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
}

/** @param work may be done again when the host was away for a while: what it has done by then it must find done */
export async function changing<T>(
  deps: EngineDeps,
  { host, record: found }: Located,
  change: Change,
  op: ScopedOperation,
  work: (run: Run) => Promise<Work<T>>,
): Promise<T> {
  const { name, uuid, namespace } = found
  const { clock } = deps.world
  const until = clock.now() + op.waitTimeoutMs
  const lock = await takeLock({
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
  try {
    return await recorded()
  } finally {
    await lock.release()
  }

  async function recorded(): Promise<T> {
    const read = async () => {
      const there = await readRecord(host, namespace, lock.signal)
      // what it is called here no server keeps
      if (there?.uuid === uuid) return { ...there, contextName: found.contextName, host: found.host }
      throw deletedMeanwhile(name)
    }
    // one that was only just found half made has no version that a write could be held against
    let record: FederationRecord = found.version === undefined ? await read() : found
    let before = record
    let stale = false
    let resumed = false
    let gone = false
    let changed = false
    const now = () => new Date(clock.now()).toISOString()
    const write = async (next: FederationRecord, signal?: AbortSignal) => {
      record = await writeRecord(host, next, lock.runId, signal)
    }
    const { verb, about, members } = change
    const told: Promise<void>[] = []
    const tell = (phase: Phase, error?: string) => {
      const federation = { name, uuid, namespace }
      const notice = { verb, phase, federation, about, error, run: lock.runId, at: now(), by: op.caller.name }
      told.push(notify(notice, { host: gone ? undefined : host, webhook: deps.webhook, warn: deps.noteOnce }))
    }
    const entry: HistoryEntry = {
      verb,
      run: lock.runId,
      begun: now(),
      result: 'running',
      by: op.caller.name,
      ...(about ? { about } : {}),
      ...(members ? { members } : {}),
    }
    const isBegun = () => record.history.at(-1)?.run === lock.runId
    const begin = async () => {
      if (!isBegun())
        await write({ ...record, history: withEntry(record.history, entry), updatedAt: now() }, lock.signal)
    }
    /** Has nobody else worked on it while the host was away? */
    const check = async () => {
      if (gone) return
      const there = await read()
      const own = there.history.at(-1)?.run === lock.runId
      if (own || there.version === record.version) record = there
      else
        throw new CoeError('conflict', `federation "${name}" was changed by another run while its host was away`, {
          hint: 'run this again',
        })
    }
    const outages = { lock, host, op, until, clock, check }
    const begun = async () => {
      try {
        await begin()
      } catch (error) {
        // whoever held the lock before has changed it since it was found, or taken it away
        if (!(error instanceof CoeError) || (error.outcome !== 'conflict' && error.outcome !== 'notFound')) throw error
        record = await read()
        before = record
        stale = true
        await begin()
      }
      return { value: undefined }
    }
    await throughOutages(outages, begun)
    tell('started')
    const close = async (error?: string, unfinished?: string, limit?: AbortSignal) => {
      if (gone) return
      // what changed nothing is as if it had not been; but a success says that the failure before it is no more
      const marks =
        changed || record.state === 'creating' || (error === undefined && isSettledBy(before.history, change))
      const history = ended(record.history, lock.runId, { at: now(), error, unfinished })
      const unmarked = { history: before.history, updatedAt: before.updatedAt }
      await write({ ...record, ...(marks ? { history, updatedAt: now() } : unmarked) }, limit)
    }
    const attempt = (): Run => ({
      runId: lock.runId,
      signal: lock.signal,
      get op() {
        return { ...op, waitTimeoutMs: Math.max(0, until - clock.now()) }
      },
      clock,
      record: () => record,
      stale,
      resumed,
      async save(changes) {
        changed = true
        await write({ ...record, ...changes, updatedAt: now() }, lock.signal)
      },
      changed() {
        changed = true
      },
      isCutOff: error => isFromHost(error, host),
      lockGoesWithNamespace: () => lock.endsWithItsNamespace(),
      recordIsGone() {
        gone = true
      },
    })
    try {
      const { value, problem, unfinished } = await throughOutages(outages, () => {
        const run = attempt()
        resumed = true
        return work(run)
      })
      await throughOutages(outages, async () => ({ value: await close(problem, unfinished) }))
      // only now: had it not come into the record, it would have failed. What was left unfinished has no end to tell of
      if (unfinished === undefined) tell(problem === undefined ? 'done' : 'failed', problem)
      await Promise.all(told)
      return value
    } catch (error) {
      // who has lost the lock writes nothing any more; after Ctrl-C it is still ours
      if (lock.isHeld()) {
        const limit = AbortSignal.timeout(lastWordsMs)
        tell('failed', reasonOf(error))
        await Promise.race([Promise.all(told), once(limit, 'abort')])
        await close(reasonOf(error), undefined, limit).catch(() => {})
      }
      throw error
    }
  }
}

const endsMeanwhile = (name: string, { details, message: why }: CoeError) =>
  conflict(`federation "${name}" is being deleted: ${why}`, {
    next: [standaloneStep('this waits until it is gone', 'federation delete', name, { option: 'yes' })],
    details,
  })

const deletedMeanwhile = (name: string) =>
  notFound(`federation "${name}" was deleted by another run meanwhile`, { details: noFederation })

/** A server that does not answer any more may be why it failed: nobody waits for it to be told so. */
const lastWordsMs = 5_000

const reasonOf = (error: unknown): string =>
  error instanceof CoeError ? error.message : `an unexpected error: ${error instanceof Error ? error.message : error}`
