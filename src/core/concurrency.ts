/**
 * Runs `work` over `items`, at most `limit` at a time; results in the items' order. After a rejection it starts nothing
 * more and waits for all running work to end, so that nothing changes after the failure is reported. Of several
 * rejections it throws the first in order, so that the same trouble gives the same message each time.
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

/** Like mapLimit, with a promise for each item, so that the first result can be used before the last is there. */
export function startAll<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R>[] {
  const turns: Promise<unknown>[] = []
  return items.map((item, i) => {
    const before = turns[i - limit] ?? Promise.resolve()
    const result = before.then(() => work(item))
    turns.push(result.catch(() => {}))
    return result
  })
}

/**
 * Promise.all for requests. Of several failures it throws the first in order, so that the same trouble gives the same
 * message each time.
 */
export async function awaitAll<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const all = Promise.all(work)
  all.catch(() => {})
  for (const one of work) await one
  return all
}

export type ResultOrError<T> = { ok: true; value: T } | { ok: false; error: unknown }

/** The result or the error, so that one item's failure does not hide the results of the others. */
export async function resultOf<T>(work: Promise<T>): Promise<ResultOrError<T>> {
  try {
    return { ok: true, value: await work }
  } catch (error) {
    return { ok: false, error }
  }
}

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** A queue for work from many places: at most `limit` of it runs at a time. */
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
