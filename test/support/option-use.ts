/**
 * Records which options of which command the tests used, so that the end of a whole run can name those that none did.
 * An option is tested where its own command ran with it: the same spelling on another command proves nothing.
 */
import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import { globalOptions } from '../../src/cli/options/globals.ts'
import { anyOutputOptions } from '../../src/cli/options/output-options.ts'
import { allOptions } from '../../src/cli/parse/all-options.ts'
import { split } from '../../src/cli/parse/parser.ts'
import { findCommand } from '../../src/cli/tree.ts'
import { registry } from '../../src/wiring/registry.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that all workers append to. */
    optionUse: string
  }
}

const everywhere = [...Object.values(globalOptions), ...anyOutputOptions]
const recorded = new Set<string>()

/** Call after the run: what the program refused to read is not recorded. */
export async function recordOptions(argv: readonly string[]): Promise<void> {
  const found = findCommand(registry, argv, everywhere)
  if (!found.entry) return
  const command = await found.entry.load()
  let names: string[]
  try {
    names = [...split(found.rest, Object.values(allOptions(command)), command.words).given.keys()]
  } catch {
    return
  }
  const fresh = names.map(name => `${command.words} --${name}`).filter(use => !recorded.has(use))
  if (fresh.length === 0) return
  for (const use of fresh) recorded.add(use)
  const file: string | undefined = inject('optionUse')
  // the tests on real servers have a configuration of their own, and no such file
  if (file === undefined) return
  appendFileSync(file, fresh.map(use => `${use}\n`).join(''))
}
