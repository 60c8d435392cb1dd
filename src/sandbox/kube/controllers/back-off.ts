import { KubeFailure } from '../failure.ts'

/** The message, when what was to be made is refused for good: not for somebody who was faster, nor for a server in trouble. */
export function refusedBy(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (error instanceof KubeFailure && [403, 422].includes(error.code)) return error.message
    throw error
  }
}

/** Controllers try what was refused ever more seldom, until somebody touches the object. */
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
