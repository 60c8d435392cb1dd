/**
 * Every option that all commands have is used by at least one test: an option that nobody tries breaks unseen. A command's
 * own options are recorded as the tests run (test/support/option-use-check.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { globalOptions } from '../../src/cli/options/globals.ts'
import { anyOutputOptions } from '../../src/cli/options/output-options.ts'
import type { OptionSpec } from '../../src/cli/spec.ts'

const tests = fileURLToPath(new URL('../', import.meta.url))
const texts = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(f => /\.(ts|mjs)$/.test(f) && !f.endsWith('options-tested.test.ts'))
  .map(f => readFileSync(join(tests, f), 'utf8'))
  .join('\n')

const isUsed = (o: OptionSpec): boolean =>
  [`--${o.name}`, ...(o.short ? [`-${o.short}`] : []), ...(o.also ?? [])].some(spelling =>
    new RegExp(`(?<![\\w-])${spelling}(?![\\w-])`).test(texts),
  )

describe('options that no test uses', () => {
  it('of the formatter, and of coe itself: none', () => {
    const own = Object.values(globalOptions).filter(o => o.group !== 'OpenStack')
    expect([...anyOutputOptions, ...own].filter(o => !isUsed(o)).map(o => `--${o.name}`)).toEqual([])
  })
})
