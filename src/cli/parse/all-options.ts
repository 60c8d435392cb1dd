/** Every option that may stand on the line of a command: its own, the formatter's, and those of all commands. */
import { globalOptions } from '../options/globals.ts'
import { outputOptions } from '../options/output-options.ts'
import type { AnyCommand, OptionSpec } from '../spec.ts'

export function allOptions(command: AnyCommand): Record<string, OptionSpec> {
  // its own come first in lists, and win
  return { ...command.options, ...outputOptions(command.output), ...globalOptions, ...command.options }
}
