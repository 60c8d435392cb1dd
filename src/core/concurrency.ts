/**
 * Runs `work` over `items`, at most `limit` at a time; results in the items' order. After a rejection nothing more is begun, and
 * what is under way ends first: who hears that a change failed must not see it go on. Of several rejections the first in
 * order is told, so that the same trouble reads the same each time.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let failed: { index: number; error: unknown } | undefined
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      try {
        results[index] = await work(items[index] as T, index)
      } catch (error) {
        next = items.length
        if (!failed || index < failed.index) failed = { index, error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failed) throw (failed as { error: unknown }).error
  return results
}

/** The same, each with a promise of its own: who needs the first result need not wait for the last. */
export function startAll<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R>[] {
  const turns: Promise<unknown>[] = []
  return items.map((item, i) => {
    const before = turns[i - limit] ?? Promise.resolve()
    const result = before.then(() => work(item))
    turns.push(result.catch(() => {}))
    return result
  })
}

/** Promise.all for requests: of several that fail, the first in this order is told, so that the same trouble reads the same each time. */
export async function together<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const all = Promise.all(work)
  all.catch(() => {})
  for (const one of work) await one
  return all
}

export type Settled<T> = { ok: true; value: T } | { ok: false; error: unknown }

/** One item's failure must not hide the others': a result or an error for each. */
export async function settle<T>(work: Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await work }
  } catch (error) {
    return { ok: false, error }
  }
}

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** For work that comes up in many places: at most `limit` of it runs at a time, the rest waits in line. */
export function turns(limit: number): Turns {
  let free = limit
  const waiting: (() => void)[] = []
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
