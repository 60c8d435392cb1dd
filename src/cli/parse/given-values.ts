/** From options to the fields of a request: an option has the key of its field, and absent options are left out. */
import { type Defined, defined } from '../../core/defined.ts'
import type { OptionSpec, Values } from '../spec.ts'

/**
 * Checks that the keys of options are fields of a request: `{ … } satisfies FieldOptions<ClusterRequest>`.
 * `Besides` are options that the command turns into fields itself, such as the second flag of a pair.
 */
export type FieldOptions<Request, Besides extends string = never> = {
  readonly [K in keyof Request | Besides]?: OptionSpec
}

type GivenValues<O extends Record<string, OptionSpec>> = Defined<{
  [K in keyof O]: ReturnType<O[K]['parse']> extends boolean ? true | undefined : ReturnType<O[K]['parse']>
}>

/** A flag that is not given is absent, like other options: older servers refuse fields that they do not know. */
export function givenValues<O extends Record<string, OptionSpec>>(specs: O, values: Values<O>): GivenValues<O> {
  const entries = Object.keys(specs).map(key => [key, values[key] === false ? undefined : values[key]])
  return defined(Object.fromEntries(entries)) as GivenValues<O>
}
