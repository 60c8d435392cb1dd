/** Two flags that say opposite things about one field. */
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

/** Undefined when neither was given; upstream's words for more than one. */
export function pairValue({ yes, no }: FlagPair, timesYes: number, timesNo: number): boolean | undefined {
  if (timesYes + timesNo > 1) {
    throw usage(`--${yes.name} and --${no.name} are mutually exclusive and should be specified only once`)
  }
  return timesYes ? true : timesNo ? false : undefined
}
