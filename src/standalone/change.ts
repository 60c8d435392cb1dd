/** A change of a federation: under its lock, with its start and its end in the record. */
import { once } from 'node:events'
import { CoeError, notFound } from '../core/errors.ts'
import { isNotFound } from '../kube/errors.ts'
import { type Lock, takeLock } from '../kube/lease.ts'
import type { Operation } from '../model/operation.ts'
import type { Located } from './find.ts'
import { ended, type Verb, withEntry } from './history.ts'
import { labelsOf, recordName } from './names.ts'
import { notify, type Phase } from './notify.ts'
import { type FederationRecord, readRecord, writeRecord } from './record.ts'
import type { Standalone } from './room.ts'
import { noFederation } from './scan.ts'

export interface Change {
  verb: Verb
  /** `c2, c3` */
  about?: string
}

export interface Run {
  readonly lock: Lock
  /** As it is now. */
  record(): FederationRecord
  /** Somebody changed the federation between the look at it and the lock: what was seen may no longer be so. */
  readonly stale: boolean
  save(changes: Partial<FederationRecord>): Promise<void>
  /** The record goes away with its namespace: its end is not written. */
  recordIsGone(): void
  /** Nothing was changed, and nothing will be: the record is to be as if this had not begun. */
  refused(): void
}

/**
 * @param work resolves with its value, and with the reason when what it did only partly worked (`problem`), or was not to be
 * done to its end (`unfinished`)
 */
export async function changing<T>(
  room: Standalone,
  { host, record: found }: Located,
  change: Change,
  op: Operation,
  work: (run: Run) => Promise<{ value: T; problem?: string | undefined; unfinished?: string | undefined }>,
): Promise<T> {
  const { name, uuid, namespace } = found
  const lock = await takeLock({
    world: room.world,
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
    throw isNotFound(error) ? deletedMeanwhile(name) : error
  })
  try {
    return await recorded()
  } finally {
    await lock.release()
  }

  async function recorded(): Promise<T> {
    const read = async () => {
      const there = await readRecord(host, namespace, lock.signal)
      if (there?.uuid === uuid) return there
      throw deletedMeanwhile(name)
    }
    // one that was only just found half made has no version that a write could be held against
    let record: FederationRecord = found.version === undefined ? await read() : found
    let stale = false
    let gone = false
    let untouched = false
    const now = () => new Date(room.world.clock.now()).toISOString()
    const save = async (changes: Partial<FederationRecord>, signal?: AbortSignal) => {
      record = await writeRecord(host, { ...record, ...changes, updatedAt: now() }, lock.runId, signal)
    }
    const { verb, about } = change
    const told: Promise<void>[] = []
    const tell = (phase: Phase, error?: string) => {
      const federation = { name, uuid, namespace }
      const notice = { verb, phase, federation, about, error, run: lock.runId, at: now(), by: room.world.hostname }
      told.push(notify(notice, { host: gone ? undefined : host, webhook: room.webhook, warn: room.note }))
    }
    const entry = { verb, run: lock.runId, begun: now(), result: 'running' as const, by: room.world.hostname }
    const begin = () =>
      save({ history: withEntry(record.history, { ...entry, ...(about ? { about } : {}) }) }, lock.signal)
    try {
      await begin()
    } catch (error) {
      // whoever held the lock before has changed it since it was found, or taken it away
      if (!(error instanceof CoeError) || (error.outcome !== 'conflict' && error.outcome !== 'notFound')) throw error
      record = await read()
      stale = true
      await begin()
    }
    tell('started')
    const close = async (error?: string, unfinished?: string, limit?: AbortSignal) => {
      if (gone) return
      const own = lock.runId
      const end = () => ended(record.history, own, { at: now(), error, unfinished })
      await save({ history: untouched ? record.history.filter(e => e.run !== own) : end() }, limit)
    }
    try {
      const { value, problem, unfinished } = await work({
        lock,
        record: () => record,
        stale,
        save: changes => save(changes, lock.signal),
        recordIsGone() {
          gone = true
        },
        refused() {
          untouched = true
        },
      })
      await close(problem, unfinished)
      // only now: had it not come into the record, it would have failed. What was left unfinished has no end to tell of
      if (unfinished === undefined) tell(problem === undefined ? 'done' : 'failed', problem)
      await Promise.all(told)
      return value
    } catch (error) {
      // who has lost the lock writes nothing any more; after Ctrl-C it is still ours
      if (!lock.signal.aborted || op.signal.aborted) {
        const limit = AbortSignal.timeout(lastWordsMs)
        tell('failed', reasonOf(error))
        await Promise.race([Promise.all(told), once(limit, 'abort')])
        await close(reasonOf(error), undefined, limit).catch(() => {})
      }
      throw error
    }
  }
}

const deletedMeanwhile = (name: string) =>
  notFound(`federation "${name}" was deleted by another run meanwhile`, { details: noFederation })

/** A server that does not answer any more may be why it failed: nobody waits for it to be told so. */
const lastWordsMs = 5_000

const reasonOf = (error: unknown): string =>
  error instanceof CoeError ? error.message : `an unexpected error: ${error instanceof Error ? error.message : error}`
