/** Prints a result on stdout: the spec's columns decide what, the formatter how. */
import { failed } from '../../core/errors.ts'
import { sameColumn, selectColumns } from '../../io/formats/columns.ts'
import { type FormatOptions, render, type Table } from '../../io/formats/format.ts'
import type { Sink } from '../../io/streams.ts'
import type { OutputChoice } from '../options/output-options.ts'
import type { AnyCommand, Column, OutputSpec, Result, Row } from '../spec.ts'

export interface Terminal {
  stdout: Sink
  colour: boolean
  env: Readonly<Record<string, string | undefined>>
  warn(text: string): void
}

export async function printResult(
  output: OutputSpec,
  result: Result,
  chosen: OutputChoice,
  terminal: Terminal,
): Promise<void> {
  const { stdout } = terminal
  const formatted = isFormatted(output, chosen)
  if (!formatted) {
    if (result.text) stdout.write(result.text.endsWith('\n') ? result.text : `${result.text}\n`)
    return
  }
  const table = makeTable(output, result, chosen)
  const where = { isTTY: stdout.isTTY, columns: stdout.columns, colour: terminal.colour }
  stdout.write(await render(table, formatOptions(chosen, terminal.env), where, terminal.warn))
}

/**
 * Refuses a misspelled column before a change: afterwards, the error would hide that the change was made, and its result would
 * be lost. Lists and `show` are not checked here: they can be repeated, and the answer may have more columns.
 */
export function checkColumns({ words, output }: AnyCommand, chosen: OutputChoice, dryRun: boolean): void {
  if (!output.columns || output.kind === 'list' || /(^| )show$/.test(words)) return
  const names = output.columns.map(column => column.name)
  selectColumns(dryRun ? [...names, 'planned'] : names, chosen.column ?? [], () => {})
}

/** True if the result goes through the formatter. */
export function isFormatted(output: OutputSpec, chosen: OutputChoice): boolean {
  if (output.kind === 'raw') return false
  return output.kind !== 'text' || wasFormatted(chosen)
}

export const wasFormatted = (chosen: OutputChoice): boolean =>
  chosen.format !== undefined || (chosen.column?.length ?? 0) > 0

function makeTable(output: OutputSpec, result: Result, chosen: OutputChoice): Table {
  const long = result.long === true || chosen.format === 'wide'
  const columns = columnNames(output, result, long, chosen)
  const spelled = (row: Row) => columns.map(c => spell(row, c, output, chosen.format ?? 'table'))
  const real = (row: Row) => columns.map(c => row[c] ?? null)
  if (output.kind === 'list' || output.many) {
    if (!result.rows) throw failed('the command has no rows to print')
    return { kind: 'list', columns, rows: result.rows.map(spelled), jsonRows: result.rows.map(real) }
  }
  const object = result.object ?? {}
  const header = output.header ? { header: [...output.header] as [string, string] } : {}
  return { kind: 'show', columns, values: spelled(object), jsonValues: real(object), ...header }
}

/** As text, a field that the server does not have is empty, as upstream prints it; in JSON it is null, like an unset one. */
function spell(row: Row, name: string, output: OutputSpec, format: string): unknown {
  if (!(name in row)) return ''
  const value = row[name]
  const column = output.columns?.find(c => c.name === name)
  if (column?.text) return column.text(value, row, format)
  if (column?.prose && format === 'value' && typeof value === 'string')
    return value.replace(/\s*[\n\r]\s*/g, ' ').trim()
  return value === null && output.nullText !== undefined ? output.nullText : value
}

function columnNames(output: OutputSpec, result: Result, long: boolean, chosen: OutputChoice): string[] {
  const requested = chosen.column ?? []
  const isTable = chosen.format === undefined || chosen.format === 'table'
  if (result.tableColumns && isTable && !requested.length && !result.long) return [...result.tableColumns]
  const specs: readonly Column[] = output.columns ?? Object.keys(result.object ?? {}).map(anyColumn)
  const isData = chosen.format === 'json' || chosen.format === 'yaml'
  const named = (c: Column) => requested.some(a => sameColumn(a, c.name))
  const shown = (c: Column) => (!c.long || long || named(c)) && (!c.dataOnly || isData || named(c))
  const names = specs.filter(c => !c.extra && shown(c)).map(c => c.name)
  // extra columns are those that the user names (--fields), or that only this result has
  const wanted = (c: Column | undefined) => c === undefined || (!c.extra && !c.dataOnly) || shown(c)
  for (const extra of result.extraColumns ?? []) {
    if (!names.includes(extra) && wanted(specs.find(c => c.name === extra))) names.push(extra)
  }
  return names
}

const anyColumn = (name: string): Column => ({ name, type: 'any', help: '' })

function formatOptions(chosen: OutputChoice, env: Terminal['env']): FormatOptions {
  const envWidth = Number(env.CLIFF_MAX_TERM_WIDTH)
  return {
    format: (chosen.format ?? 'table') as FormatOptions['format'],
    columns: chosen.column ?? [],
    sortColumns: chosen.sortColumn ?? [],
    sortDirection: chosen.sortDescending ? 'desc' : 'asc',
    maxWidth: chosen.maxWidth ?? (Number.isInteger(envWidth) ? envWidth : 0),
    fitWidth: chosen.fitWidth === true || env.CLIFF_FIT_WIDTH === '1',
    printEmpty: chosen.printEmpty === true,
    noindent: chosen.noindent === true,
    quote: chosen.quote ?? 'nonnumeric',
    prefix: chosen.prefix ?? '',
    variables: chosen.variable ?? [],
  }
}
