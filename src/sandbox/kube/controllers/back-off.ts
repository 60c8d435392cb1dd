import { KubeFailure } from '../failure.ts'

/** The message if `make` is refused for good. Rethrows other errors, such as conflicts and server trouble. */
export function refusedBy(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (error instanceof KubeFailure && [403, 422].includes(error.code)) return error.message
    throw error
  }
}

/** Growing pauses between attempts after a refusal, until the object is changed. */
export function makeBackOff(): { after(key: string): number; forget(key: string): void } {
  const times = new Map<string, number>()
  return {
    after(key) {
      const before = times.get(key) ?? 0
      times.set(key, before + 1)
      return Math.min(20 * 2 ** before, 1_000_000)
    },
    forget: key => void times.delete(key),
  }
}
