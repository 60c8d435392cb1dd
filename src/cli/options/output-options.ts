/** Options of the formatter, spelled as in the openstack client; which ones apply depends on the command's output. */

import { formatsOf } from '../../io/formats/names.ts'
import { choice, flag, int, text, texts } from '../parse/values.ts'
import type { OptionSpec, OutputSpec, Values } from '../spec.ts'

const group = 'Output'
const also = ['-o', '--output']

const shared = {
  column: texts('column', 'column', 'show only this column; repeatable', { short: 'c', group }),
  noindent: flag('noindent', 'JSON on one line', { group }),
  maxWidth: int('max-width', 'n', 'maximum table width in characters; below 1 is no limit', {
    group,
    env: 'CLIFF_MAX_TERM_WIDTH',
  }),
  fitWidth: flag('fit-width', 'fit the table to the terminal', { group, env: 'CLIFF_FIT_WIDTH' }),
  printEmpty: flag('print-empty', 'print the header of a table without rows', { group }),
}

const listOptions = {
  format: choice('format', formatsOf.list, 'how to print the result (default: table)', { short: 'f', also, group }),
  ...shared,
  quote: choice('quote', ['all', 'minimal', 'none', 'nonnumeric'], 'when CSV quotes (default: nonnumeric)', { group }),
  sortColumn: texts('sort-column', 'column', 'sort by this column; repeatable, the first counts most', { group }),
  sortAscending: flag('sort-ascending', 'sort upwards (the default)', { group }),
  sortDescending: flag('sort-descending', 'sort downwards', { group }),
}

const showOptions = {
  format: choice('format', formatsOf.show, 'how to print the result (default: table)', { short: 'f', also, group }),
  ...shared,
  prefix: text('prefix', 'prefix', 'put this before each variable name (-f shell)', { group }),
  variable: texts('variable', 'name', 'print only this variable (-f shell); repeatable', { group }),
}

type ListValues = Values<typeof listOptions>
type ShowValues = Values<typeof showOptions>
/** Values of the formatter's options, for all kinds of output. */
export type OutputChoice = Partial<ListValues & Omit<ShowValues, 'format'>> & { format?: string | undefined }

export function outputOptions(output: OutputSpec): Record<string, OptionSpec> {
  if (output.kind === 'raw') return {}
  return output.kind === 'list' || output.many ? listOptions : showOptions
}

/** All options that may stand before the words of a command, when the command is not known yet. */
export const anyOutputOptions: readonly OptionSpec[] = Object.values({ ...listOptions, ...showOptions })
