/** The last changes of a federation, and the status that follows from them. */

import { object, text } from '../../core/shape.ts'

export type Verb = 'create' | 'update' | 'delete' | 'join' | 'unjoin'

export interface HistoryEntry {
  verb: Verb
  /** Identifies the run and its lock. */
  run: string
  begun: string
  ended?: string
  result: 'running' | 'done' | 'failed'
  /** `c2, c3`. `by`: the machine that it ran on. */
  about?: string
  /** All names, if a later run needs them: after an unjoin, only the history knows the members that left. */
  members?: readonly string[]
  by?: string
  error?: string
  /** Why it was not meant to be finished: `--no-wait`. */
  unfinished?: string
}

export const historyShape = object(
  { verb: text, run: text, begun: text, result: text },
  { ended: text, about: text, by: text, error: text, unfinished: text },
)

const kept = 20
const named = 10
/** The most names that all entries together keep: a record is limited to 1 MiB. */
const keptNames = 2_000

/** A short text for the record: of a hundred members, the first ten and the number of the others. */
export const aboutText = (names: readonly string[]): string =>
  names.length > named ? `${names.slice(0, named).join(', ')} and ${names.length - named} more` : names.join(', ')

export function withEntry(history: readonly HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  let names = 0
  const newestFirst = [...history, entry].slice(-kept).reverse()
  return newestFirst
    .map(({ members, ...rest }) => {
      names += members?.length ?? 0
      return members && names <= keptNames ? { ...rest, members } : rest
    })
    .reverse()
}

/** Whether an unjoin took this member out, by a name that only the federation may have known. */
export const wasUnjoined = (history: readonly HistoryEntry[], name: string): boolean =>
  history.some(({ verb, about = '', members }) => verb === 'unjoin' && (members ?? about.split(', ')).includes(name))

/** The history with the entry of this run ended. */
export const ended = (
  history: readonly HistoryEntry[],
  run: string,
  { at, error, unfinished }: { at: string; error: string | undefined; unfinished: string | undefined },
): HistoryEntry[] =>
  history.map(entry =>
    entry.run === run
      ? {
          ...entry,
          ended: at,
          result: error === undefined ? 'done' : 'failed',
          ...(error ? { error } : {}),
          ...(unfinished ? { unfinished } : {}),
        }
      : entry,
  )

/** Whether the success of this change clears the failure at the end of the history. */
export function isSettledBy(
  history: readonly HistoryEntry[],
  { verb, about }: { verb: Verb; about?: string | undefined },
): boolean {
  const last = history.at(-1)
  return last !== undefined && last.result !== 'done' && last.verb === verb && last.about === about
}

const word: Record<Verb, string> = {
  create: 'CREATE',
  update: 'UPDATE',
  join: 'UPDATE',
  unjoin: 'UPDATE',
  delete: 'DELETE',
}

/** Worded as by the reference implementation of Magnum's federations. */
export const completedText = (verb: string): string => `Federation ${verb} completed successfully`

/** Computed, never stored: a federation is in progress only while a run holds its lock. */
export function standing(
  history: readonly HistoryEntry[],
  state: 'creating' | 'created',
  working: boolean,
): { status: string; reason: string | null } {
  const last = history.at(-1)
  const verb = word[last?.verb ?? 'create']
  const doing = [last?.verb ?? 'create', last?.about].filter(Boolean).join(' ')
  if (working) return { status: `${verb}_IN_PROGRESS`, reason: `${doing}, since ${last?.begun ?? 'just now'}` }
  if (last?.result === 'running') return { status: `${verb}_FAILED`, reason: `${doing} was interrupted: run it again` }
  if (last?.result === 'failed') return { status: `${verb}_FAILED`, reason: `${doing}: ${last.error ?? 'it failed'}` }
  if (state === 'creating' && last?.unfinished) {
    // what was applied starts on the host; everything else waits for the next run
    return { status: 'CREATE_IN_PROGRESS', reason: `begun with ${last.unfinished}: run it again to finish it` }
  }
  if (state === 'creating') return { status: 'CREATE_FAILED', reason: 'its creation was not finished: run it again' }
  return { status: `${verb}_COMPLETE`, reason: completedText(verb) }
}
