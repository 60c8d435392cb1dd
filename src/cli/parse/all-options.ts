/** All options of a command: its own, the formatter's, and those of every command. */
import { globalOptions } from '../options/globals.ts'
import { outputOptions } from '../options/output-options.ts'
import type { AnyCommand, OptionSpec } from '../spec.ts'

export function allOptions(command: AnyCommand): Record<string, OptionSpec> {
  // its own options come first in lists and take precedence
  return { ...command.options, ...outputOptions(command.output), ...globalOptions, ...command.options }
}
