/** Gets a noun or verb of the backend, or throws a usage error if the backend does not have it. */
import { usage } from '../core/errors.ts'
import type { Federations } from '../model/backend.ts'
import { modesWith, type Noun, type Nouns } from '../model/capability.ts'
import type { Context } from './context.ts'
import { switchTo } from './parse/modes.ts'

export async function requireNoun<N extends Noun>(context: Context, noun: N): Promise<NonNullable<Nouns[N]>> {
  const backend = await context.backend()
  const found = backend[noun]
  if (found) return found as NonNullable<Nouns[N]>
  throw usage(`there are no ${noun} in ${backend.mode} mode`, { hint: switchTo(modesWith(noun)[0]) })
}

/** The same federations, typed as having this verb. */
export function requireVerb<V extends keyof Federations>(
  federations: Federations,
  verb: V,
): Federations & Required<Pick<Federations, V>> {
  if (federations[verb] !== undefined) return federations as Federations & Required<Pick<Federations, V>>
  const [mode] = modesWith(`federations.${verb}`)
  throw usage(`federations have no ${verb} in this mode`, { hint: switchTo(mode) })
}
