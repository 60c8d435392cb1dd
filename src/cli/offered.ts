/** A noun of the backend that this mode may not have. */
import { usage } from '../core/errors.ts'
import type { Backend } from '../model/backend.ts'
import type { Context } from './context.ts'

type Nouns = Omit<Backend, 'mode' | 'where'>

export async function offered<K extends keyof Nouns>(context: Context, noun: K): Promise<NonNullable<Nouns[K]>> {
  const backend = await context.backend()
  const found = backend[noun]
  if (found) return found as NonNullable<Nouns[K]>
  throw usage(`there are no ${noun} in ${backend.mode} mode`, {
    hint: 'Magnum has them: name a cloud with --os-cloud NAME (OS_CLOUD)',
  })
}
