import { usage } from '../../core/errors.ts'
import { sanitize, sanitizeLine } from '../sanitize.ts'
import { makeStyle, paintStatus } from '../style.ts'
import { columnIndex, selectColumns, type Warn } from './columns.ts'
import { csvText, type Quote } from './csv.ts'
import { jsonText } from './json.ts'
import { type Format, formatsOf } from './names.ts'
import { shellText } from './shell.ts'
import { sortedOrder } from './sort.ts'
import { valueLines, valueRows } from './value.ts'
import { yamlText } from './yaml-out.ts'

/** Null, text, number, boolean, list or dictionary. */
export type Cell = unknown

export interface ListTable {
  kind: 'list'
  columns: string[]
  rows: Cell[][]
  /** The values for json, where text shows `-` or a summary. */
  jsonRows?: Cell[][] | undefined
}

export interface ShowTable {
  kind: 'show'
  columns: string[]
  values: Cell[]
  /** Titles of the two columns; `Field` and `Value` by default. */
  header?: [string, string] | undefined
  jsonValues?: Cell[] | undefined
}

export type Table = ListTable | ShowTable

export interface FormatOptions {
  format: Format
  columns: string[]
  sortColumns: string[]
  sortDirection?: 'asc' | 'desc' | undefined
  /** Less than 1: no limit. */
  maxWidth: number
  fitWidth: boolean
  printEmpty: boolean
  noindent: boolean
  quote: Quote
  prefix: string
  variables: string[]
}

export interface Terminal {
  isTTY: boolean
  columns: number | undefined
  colour: boolean
}

/** The text to print, with its line end. Tables are loaded on demand, because their library loads slowly. */
export async function render(
  table: Table,
  options: FormatOptions,
  terminal: Terminal,
  warn: Warn = () => {},
): Promise<string> {
  const { format } = options
  if (!(formatsOf[table.kind] as readonly string[]).includes(format)) {
    throw usage(`${table.kind === 'list' ? 'a list' : 'a single object'} cannot be printed as ${format}`, {
      hint: `use one of ${formatsOf[table.kind].join(', ')}`,
    })
  }
  const keep = selectColumns(table.columns, options.columns, warn)
  const pick = <T>(row: readonly T[]): T[] => keep.map(index => row[index] as T)
  // json, yaml and the spelling of lists and dictionaries already escape all that a terminal would act on
  const clean = terminal.isTTY && format !== 'json' && format !== 'yaml'
  // a tab would misalign the borders of a table
  const cleaned = (cell: Cell): Cell => (typeof cell === 'string' ? sanitize(cell).replaceAll('\t', ' ') : cell)
  const cells = (row: readonly Cell[]): Cell[] => (clean ? pick(row).map(cleaned) : pick(row))
  const columns = clean ? pick(table.columns).map(sanitizeLine) : pick(table.columns)
  if (table.kind === 'show') {
    const values = (format === 'json' && table.jsonValues) || table.values
    if (format === 'name') return renderNames(table.columns, [table.values], clean)
    return renderOne(columns, cells(values), table.header ?? ['Field', 'Value'], options, terminal)
  }
  const order = sortedOrder(table.columns, table.rows, options, warn)
  const source = (format === 'json' && table.jsonRows) || table.rows
  const rows = order.map(index => source[index] ?? [])
  if (format === 'name') return renderNames(table.columns, rows, clean)
  return renderList(columns, rows.map(cells), options, terminal)
}

async function renderList(
  columns: string[],
  rows: Cell[][],
  options: FormatOptions,
  terminal: Terminal,
): Promise<string> {
  switch (options.format) {
    case 'json': {
      return jsonText(
        rows.map(row => new Map(row.map((cell, i) => [columns[i], cell]))),
        !options.noindent,
      )
    }
    case 'yaml': {
      return yamlText(rows.map(row => new Map(row.map((cell, i) => [columns[i], cell]))))
    }
    case 'csv': {
      return csvText(columns, rows, options.quote)
    }
    case 'value': {
      return valueRows(rows)
    }
    default: {
      if (!rows.length && !options.printEmpty) return '\n'
      const { tableText } = await import('./table.ts')
      const right = columns.map((_, i) => ['number', 'bigint'].includes(typeof rows[0]?.[i]))
      const style = makeStyle(terminal.colour)
      const isStatus = columns.map(column => /status$/i.test(column))
      const paint = (line: string, column: number, row: number) =>
        isStatus[column] ? paintStatus(line, style, String(rows[row]?.[column])) : line
      return tableText({
        columns,
        rows,
        right,
        width: widthFor(options, terminal),
        least: options.maxWidth > 0 || options.fitWidth ? 8 : 'terminal',
        keys: ['uuid', 'name'].map(key => columns.indexOf(key)).filter(i => i >= 0),
        ...(style.colour ? { paint } : {}),
      })
    }
  }
}

async function renderOne(
  columns: string[],
  values: Cell[],
  header: [string, string],
  options: FormatOptions,
  terminal: Terminal,
): Promise<string> {
  switch (options.format) {
    case 'json': {
      return jsonText(new Map(columns.map((column, i) => [column, values[i]])), !options.noindent)
    }
    case 'yaml': {
      return columns.map((column, i) => yamlText({ [column]: values[i] })).join('')
    }
    case 'shell': {
      return shellText(columns, values, options)
    }
    case 'value': {
      return valueLines(values)
    }
    default: {
      if (!columns.length) return '\n'
      const { tableText } = await import('./table.ts')
      const style = makeStyle(terminal.colour)
      const paint = (line: string, column: number, row: number) =>
        column === 1 && /status$/i.test(columns[row] ?? '') ? paintStatus(line, style) : line
      const rows = columns.map((column, i) => [column, values[i]])
      const width = widthFor(options, terminal)
      return tableText({
        columns: header,
        rows,
        right: [false, false],
        width,
        least: 16,
        ...(style.colour ? { paint } : {}),
      })
    }
  }
}

/** `--max-width` applies to any output; otherwise only a terminal has a width to fit. */
function widthFor(options: FormatOptions, terminal: Terminal): number | undefined {
  if (options.format === 'wide') return undefined
  if (options.maxWidth > 0) return options.maxWidth
  return terminal.isTTY || options.fitWidth ? terminal.columns : undefined
}

/** One handle per line, for `xargs`: the name, or the uuid of an object without a name, or else the first column. */
function renderNames(columns: readonly string[], rows: readonly Cell[][], clean: boolean): string {
  const places = [...['name', 'uuid', 'id'].map(name => columnIndex(columns, name)).filter(index => index >= 0), 0]
  const names = rows.map(row => String(places.map(index => row[index] ?? '').find(name => name !== '') ?? '-'))
  return names.map(name => `${clean ? sanitizeLine(name) : name}\n`).join('')
}
