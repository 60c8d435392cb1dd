/** Pairs of opposite flags for one field. */
import { usage } from '../../core/errors.ts'
import type { OptionSpec } from '../spec.ts'
import { tally } from './values.ts'

export interface FlagPair {
  yes: OptionSpec<number>
  no: OptionSpec<number>
}

export const flagPair = (yes: string, yesHelp: string, no: string, noHelp: string): FlagPair => ({
  yes: tally(yes, yesHelp),
  no: tally(no, noHelp),
})

/** Undefined if neither is given. The error has upstream's words. */
export function pairValue({ yes, no }: FlagPair, timesYes: number, timesNo: number): boolean | undefined {
  if (timesYes + timesNo > 1) {
    throw usage(`--${yes.name} and --${no.name} are mutually exclusive and should be specified only once`)
  }
  return timesYes ? true : timesNo ? false : undefined
}

type Pairs = Readonly<Record<string, FlagPair>>

/** For a field `hidden` the options `hidden` and `noHidden`. */
type PairOptions<P extends Pairs> = { [K in keyof P]: OptionSpec<number> } & {
  [K in keyof P & string as `no${Capitalize<K>}`]: OptionSpec<number>
}

const oppositeOf = (field: string): string => `no${field.charAt(0).toUpperCase()}${field.slice(1)}`

export const pairOptions = <P extends Pairs>(pairs: P): PairOptions<P> =>
  Object.fromEntries(
    Object.entries(pairs).flatMap(([field, { yes, no }]) => [
      [field, yes],
      [oppositeOf(field), no],
    ]),
  ) as PairOptions<P>

/** The values of all pairs, by field. */
export const pairValues = <P extends Pairs>(pairs: P, options: object): { [K in keyof P]: boolean | undefined } => {
  const times = options as Readonly<Record<string, number>>
  return Object.fromEntries(
    Object.entries(pairs).map(([field, pair]) => [
      field,
      pairValue(pair, times[field] ?? 0, times[oppositeOf(field)] ?? 0),
    ]),
  ) as { [K in keyof P]: boolean | undefined }
}
