/** The table of checks: each has a name that stays, and what depends on one that failed is left out. */
import type { DriverCheck } from '../../model/drivers.ts'

export interface Suite {
  /** @param needs names of checks that must have passed */
  check(name: string, about: string, work: () => Promise<unknown>, needs?: readonly string[]): Promise<void>
  leftOut(name: string, about: string, why: string): void
  readonly checks: readonly DriverCheck[]
}

export function makeSuite(tell: (name: string) => void): Suite {
  const checks: DriverCheck[] = []
  const passed = (name: string) => checks.some(one => one.check === name && one.result === 'passed')
  const suite: Suite = {
    checks,
    async check(name, about, work, needs = []) {
      const missing = needs.filter(need => !passed(need))
      if (missing.length > 0) return suite.leftOut(name, about, `${missing.join(', ')} did not pass`)
      tell(name)
      try {
        await work()
        checks.push({ check: name, about, result: 'passed', detail: null })
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error)
        checks.push({ check: name, about, result: 'failed', detail })
      }
    },
    leftOut: (check, about, detail) => void checks.push({ check, about, result: 'skipped', detail }),
  }
  return suite
}

/** Ends a check: what it found is its detail. */
export function expectThat(holds: boolean, otherwise: string | (() => string)): asserts holds {
  if (!holds) throw new Error(typeof otherwise === 'string' ? otherwise : otherwise())
}

/** A few of many, evenly. */
export const spread = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most
    ? [...all]
    : Array.from({ length: most }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / most)] as T)

export const some = (all: readonly string[]): string =>
  all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ')
