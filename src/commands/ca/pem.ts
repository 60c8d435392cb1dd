/** Prints a certificate as upstream does, with one more line end; without control characters on a terminal. */
import type { Context } from '../../cli/context.ts'
import { sanitize } from '../../io/sanitize.ts'
import type { Certificate } from '../../model/administration.ts'

export function printed(context: Context, { pem }: Certificate): string {
  return `${context.streams.stdout.isTTY ? sanitize(pem) : pem}\n`
}
