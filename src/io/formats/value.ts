import { pyStr } from './python.ts'

/** Bare values: the cells of a row between spaces, one row to a line. */
export const valueRows = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(row => `${row.map(pyStr).join(' ')}\n`).join('')

/** Bare values of one object, one to a line. */
export const valueLines = (values: readonly unknown[]): string => values.map(value => `${pyStr(value)}\n`).join('')
