/** Generated files are what the program would write now; and every command's data is sound. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { documents } from '../../build/docs/documents.ts'
import { allOptions } from '../../src/cli/parse/all-options.ts'
import type { OptionSpec } from '../../src/cli/spec.ts'
import { registry } from '../../src/wiring/registry.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('generated files', () => {
  it('are current (npm run docs)', async () => {
    const stale: string[] = []
    for (const [path, content] of await documents()) {
      let there: string | undefined
      try {
        there = readFileSync(root + path, 'utf8')
      } catch {}
      if (there !== content) stale.push(path)
    }
    expect(stale).toEqual([])
  })
})

describe('every command', async () => {
  for (const entry of registry.entries) {
    const command = await entry.load()
    it(`${entry.words}: is under the words of the registry, with examples and a unique name for each option`, () => {
      expect(command.words).toBe(entry.words)
      expect(command.summary).toBe(entry.summary)
      if (!entry.hidden) expect(command.examples.length).toBeGreaterThan(0)
      for (const example of command.examples) expect(example.line).toMatch(/coe /)
      const names = Object.values(allOptions(command) as Record<string, OptionSpec>).flatMap(o => [
        `--${o.name}`,
        ...(o.short ? [`-${o.short}`] : []),
        ...(o.also ?? []),
      ])
      expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([])
    })
  }
})
