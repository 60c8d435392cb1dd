import { pyStr } from './python.ts'

export interface ShellOptions {
  prefix: string
  /** Only these variables (spelled as printed, without the prefix); an empty list means all. */
  variables: readonly string[]
}

/** `name="value"` lines for `eval`. */
export function shellText(columns: readonly string[], values: readonly unknown[], options: ShellOptions): string {
  let text = ''
  for (const [index, column] of columns.entries()) {
    const spaced = column.toLowerCase().replaceAll(' ', '_')
    const name = spaced.replace(/[:-]/g, '_')
    if (options.variables.length && !options.variables.includes(spaced) && !options.variables.includes(name)) continue
    text += `${options.prefix}${name}="${escaped(values[index])}"\n`
  }
  return text
}

/**
 * The stock client escapes only `"`, and only in text: a cluster named `$(reboot)` runs when the output is eval'd. A
 * shell interprets four characters within double quotes, so coe escapes all four.
 */
const escaped = (value: unknown): string => pyStr(value).replace(/["\\$`]/g, '\\$&')
