/**
 * Creates an object once, though Magnum accepts any name twice: refuses a name that is taken, and if the answer to the POST is
 * lost, checks the server instead of sending it again. clusters/refuse-duplicate.ts detects two runs that create at once.
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
  /** Objects that have the name now. */
  existing(): Promise<(T & { uuid: string })[]>
  post(): Promise<Partial<T> & { uuid: string }>
  /** What to do about a name that is taken, in place of the usual hint. */
  hint?: string
  /** Called if several objects have the name. */
  note?(text: string): void
  /** For objects created in the background, which `existing` returns only after a moment. */
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
        `${where} has ${what} ${before.length} times (${all}): this is the first; delete those that you do not need by uuid`,
      )
    }
    if (duplicate === 'reuse') return { object: taken as Partial<T> & { uuid: string }, created: false }
    throw conflict(`${what} exists already in ${where} (${before.map(b => b.uuid).join(', ')})`, {
      hint: creation.hint ?? '--if-not-exists accepts it as it is, --allow-duplicate creates another of the same name',
      details: { existing: before.map(b => b.uuid) },
    })
  }
  const known = before ?? (await knownBefore(creation))
  try {
    return { object: await creation.post(), created: true }
  } catch (error) {
    if (!answerLost(error) || known === undefined) throw error
    return { object: await resolveLostAnswer(creation, known, error), created: true }
  }
}

/** With duplicates allowed, the new object is found by comparison with the ones before. */
const knownBefore = <T>(creation: Creation<T>) => creation.existing().catch(() => undefined)

async function resolveLostAnswer<T>(
  creation: Creation<T>,
  before: readonly { uuid: string }[],
  error: unknown,
): Promise<T & { uuid: string }> {
  const known = new Set(before.map(b => b.uuid))
  let answered = false
  const findNew = async () => {
    const now = await creation.existing().catch(() => undefined)
    answered ||= now !== undefined
    return now?.find(n => !known.has(n.uuid))
  }
  const ours = await waitFor(findNew, creation)
  if (ours) return ours
  if (answered) {
    throw failed(`the answer to the request was lost, and ${creation.what} was not created`, {
      hint: 'it is safe to run this again',
      cause: error,
    })
  }
  throw failed(`the answer to the request was lost, and coe could not check whether ${creation.what} was created`, {
    hint: 'check that before you run this again',
    cause: error,
  })
}

async function waitFor<R>(
  find: () => Promise<R | undefined>,
  creation: Pick<Creation<unknown>, 'appears' | 'what'>,
): Promise<R | undefined> {
  const { appears, what } = creation
  if (!appears) return find()
  const { withinMs, clock, signal } = appears
  const limits = { clock, signal, timeoutMs: withinMs, what: `${what} to appear` }
  return poll(find, limits).catch(fallbackOn('timeout', undefined))
}
