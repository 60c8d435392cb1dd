import { type FormatOptions, type ListTable, render, type ShowTable } from '../../../src/io/formats/format.ts'

export const defaultFormatOptions: FormatOptions = {
  format: 'table',
  columns: [],
  sortColumns: [],
  maxWidth: 0,
  fitWidth: false,
  printEmpty: false,
  noindent: false,
  quote: 'nonnumeric',
  prefix: '',
  variables: [],
}

/**
 * Values that formats treat differently: null, booleans, dictionaries, lists, quotes, commas, line breaks, wide
 * letters.
 */
export const list: ListTable = {
  kind: 'list',
  columns: ['uuid', 'name', 'node_count', 'labels', 'ready', 'status'],
  rows: [
    ['b3c5a4d2-1111', 'c1', 3, { a: 'b', "it's": 'x"y' }, true, 'CREATE_COMPLETE'],
    ['c7', '日本 é', 12, [], null, 'DELETE_FAILED'],
    ['d,"q"', 'two\nlines', null, ['1', 2, { x: null }], false, ''],
  ],
}

export const one: ShowTable = {
  kind: 'show',
  columns: ['name', 'status_reason', 'labels', 'node_addresses', 'node_count', 'has:colon-dash', 'text'],
  values: ['c1', null, { master_lb_enabled: 'True', é: "a'b" }, ['10.0.0.4', '10.0.0.5'], 2, 'say "hi"', 'one\r\ntwo'],
}

export const pipe = { isTTY: false, columns: undefined, colour: false }

/** The output into a pipe. */
export const piped = (table: ListTable | ShowTable, options: Partial<FormatOptions> = {}): Promise<string> =>
  render(table, { ...defaultFormatOptions, ...options }, pipe)

/** Template text without its first line break, so that it can begin below the backtick. */
export const text = (strings: TemplateStringsArray): string => (strings.raw[0] ?? '').replace(/^\n/, '')
