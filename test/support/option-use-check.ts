/** Global setup of `npm test`: at the end of a whole run, an option that no test used with its own command fails the run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { OptionSpec } from '../../src/cli/spec.ts'

export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coe-option-use-'))
  const file = join(folder, 'used')
  writeFileSync(file, '')
  project.provide('optionUse', file)
  return async () => {
    const used = new Set(readFileSync(file, 'utf8').split('\n'))
    rmSync(folder, { recursive: true })
    const all = await project.globTestFiles()
    if (project.vitest.state.getFiles().length < all.testFiles.length) return // some files only: nothing can be said
    const gaps = (await commandOptions()).filter(option => !used.has(option))
    if (gaps.length === 0) return
    // vitest reports an error that is thrown here, and exits 0
    process.exitCode = 1
    process.stderr.write(`FAILED: no test uses these options with their command:\n  ${gaps.join('\n  ')}\n`)
  }
}

/** `cluster list --long`, …: every option of every command that a test can run. */
async function commandOptions(): Promise<string[]> {
  Object.assign(globalThis, { COE_VERSION: 'test', COE_COMMIT: 'test' }) // which the build fills in elsewhere
  const { registry } = await import('../../src/wiring/registry.ts')
  const tested = registry.entries.filter(entry => !entry.hidden && entry.words !== 'sandbox shell') // that one needs a terminal
  const commands = await Promise.all(tested.map(entry => entry.load()))
  return commands.flatMap(({ words, options }) =>
    Object.values(options as Record<string, OptionSpec>).map(option => `${words} --${option.name}`),
  )
}
