import { pyStr } from './python.ts'

/** Bare values: the cells of a row separated by spaces, one row per line. */
export const valueRows = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(row => `${row.map(pyStr).join(' ')}\n`).join('')

/** Bare values of one object, one per line. */
export const valueLines = (values: readonly unknown[]): string => values.map(value => `${pyStr(value)}\n`).join('')
