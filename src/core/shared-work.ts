/**
 * Work that several callers share. A caller stops waiting when its own signal aborts, without affecting the others; the
 * work is aborted when no caller waits any more. After a failure, the next caller starts it again.
 */
export function shareWork<A extends unknown[], T>(
  work: (signal: AbortSignal, ...args: A) => Promise<T>,
): (signal: AbortSignal | undefined, ...args: A) => Promise<T> {
  let running: { result: Promise<T>; ended: AbortController; waiting: number } | undefined
  const begin = (...args: A) => {
    const ended = new AbortController()
    const begun = { result: work(ended.signal, ...args), ended, waiting: 0 }
    const end = () => {
      if (running === begun) running = undefined
    }
    begun.result.then(end, end)
    return begun
  }
  return async (signal, ...args) => {
    signal?.throwIfAborted()
    running ??= begin(...args)
    const joined = running
    joined.waiting++
    let leave = () => {}
    try {
      if (!signal) return await joined.result
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason)
      })
      signal.addEventListener('abort', leave)
      return await Promise.race([joined.result, left])
    } finally {
      signal?.removeEventListener('abort', leave)
      if (--joined.waiting === 0) {
        if (running === joined) running = undefined
        joined.ended.abort(signal?.reason)
      }
    }
  }
}
