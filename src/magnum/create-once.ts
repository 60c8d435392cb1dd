/**
 * Creating a thing whose name Magnum would happily give twice: refused when the name is taken, and when the answer to
 * the POST is lost the server is looked at, never asked again. That two runs create at once, made-twice.ts finds out.
 */
import { conflict, failed, fallbackOn } from '../core/errors.ts'
import { answerLost } from '../core/failed-request.ts'
import { poll } from '../core/poll.ts'
import type { Clock } from '../core/world.ts'
import type { CreateOutcome } from '../model/backend.ts'

export interface Creation<T> {
  /** `cluster "c1"` */
  what: string
  where: string
  duplicate: 'refuse' | 'allow' | 'reuse'
  /** Those that have the name now. */
  existing(): Promise<(T & { uuid: string })[]>
  post(): Promise<Partial<T> & { uuid: string }>
  /** What to do about a name that is taken, where it is not the usual. */
  hint?: string
  /** Told when the name that is taken is taken more than once. */
  note?(text: string): void
  /** Made in the background: it may be a moment until it is among the existing. */
  appears?: { withinMs: number; clock: Clock; signal: AbortSignal }
}

export async function createOnce<T>(creation: Creation<T>): Promise<CreateOutcome<T>> {
  const { what, where, duplicate, note } = creation
  const before = duplicate === 'allow' ? undefined : await creation.existing()
  const taken = before?.[0]
  if (taken) {
    if (duplicate === 'reuse' && before.length > 1) {
      const all = before.map(b => b.uuid).join(', ')
      note?.(
        `${where} has ${before.length} times ${what} (${all}): this is the first; delete what is not needed by its uuid`,
      )
    }
    if (duplicate === 'reuse') return { object: taken as Partial<T> & { uuid: string }, created: false }
    throw conflict(`${what} exists already in ${where} (${before.map(b => b.uuid).join(', ')})`, {
      hint: creation.hint ?? '--if-not-exists takes it as it is, --allow-duplicate makes another of the same name',
      details: { existing: before.map(b => b.uuid) },
    })
  }
  const started = before ?? (await knownBefore(creation))
  try {
    return { object: await creation.post(), created: true }
  } catch (error) {
    if (!answerLost(error) || started === undefined) throw error
    return { object: await settle(creation, started, error), created: true }
  }
}

/** With duplicates allowed, the one that is new is ours: so we must know the old ones. */
const knownBefore = <T>(creation: Creation<T>) => creation.existing().catch(() => undefined)

async function settle<T>(
  creation: Creation<T>,
  before: readonly { uuid: string }[],
  error: unknown,
): Promise<T & { uuid: string }> {
  const known = new Set(before.map(b => b.uuid))
  let seen = false
  const look = async () => {
    const now = await creation.existing().catch(() => undefined)
    seen ||= now !== undefined
    return now?.find(n => !known.has(n.uuid))
  }
  const ours = await lookFor(look, creation)
  if (ours) return ours
  if (seen) {
    throw failed(`the answer to the request was lost, and ${creation.what} was not made`, {
      hint: 'it is safe to run this again',
      cause: error,
    })
  }
  throw failed(`the answer to the request was lost, and whether ${creation.what} was made cannot be seen`, {
    hint: 'look before you run this again',
    cause: error,
  })
}

async function lookFor<R>(
  look: () => Promise<R | undefined>,
  creation: Pick<Creation<unknown>, 'appears' | 'what'>,
): Promise<R | undefined> {
  const { appears, what } = creation
  if (!appears) return look()
  const { withinMs, clock, signal } = appears
  const limits = { clock, signal, timeoutMs: withinMs, what: `${what} to be seen` }
  return poll(look, limits).catch(fallbackOn('timeout', undefined))
}
