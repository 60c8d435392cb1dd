/** A certificate as upstream prints it, with a line end whether it has one or not; made harmless on a terminal. */
import type { Context } from '../../cli/context.ts'
import { sanitize } from '../../io/sanitize.ts'
import type { Certificate } from '../../model/administration.ts'

export function printed(context: Context, { pem }: Certificate): string {
  return `${context.streams.stdout.isTTY ? sanitize(pem) : pem}\n`
}
