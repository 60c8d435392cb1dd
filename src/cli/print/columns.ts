/** Builders of columns, for commands that have many. */
import type { Column, JsonType } from '../spec.ts'

export const column = (name: string, type: JsonType, help: string): Column => ({ name, type, help })
export const textColumn = (name: string, help: string): Column => column(name, 'string', help)
export const yesNoColumn = (name: string, help: string): Column => column(name, 'boolean', help)

/** Shown only with `--long` and `-o wide`. */
export const long = (c: Column): Column => ({ ...c, long: true })
