/** Asking before something that cannot be undone. Where nobody can be asked, `--yes` (or COE_YES for whole scripts) must say it. */
import { failed } from '../../core/errors.ts'
import { confirm } from '../../io/prompt.ts'
import type { Context } from '../context.ts'
import { flag } from '../parse/values.ts'

export const yesOption = flag('yes', 'do not ask for confirmation', { short: 'y', env: 'COE_YES' })

export interface Consent {
  yes: boolean
  /** To be typed out by who agrees: the name of what will be gone. */
  typeName?: string
  /** For verbs of the stock client, which scripts call as they are: off a terminal nobody is asked. `--no-input` refuses. */
  silenceIsYes?: boolean
}

/** Returns when it may be done, and whether somebody said so; throws otherwise. */
export async function requireConsent(context: Context, question: string, consent: Consent): Promise<boolean> {
  const { yes, typeName, silenceIsYes = false } = consent
  const standing = context.world.env.COE_YES
  if (yes || (standing !== undefined && !['', '0', 'false', 'no'].includes(standing))) return true
  const { interactive, streams, globals } = context
  if (silenceIsYes && !interactive && globals.noInput !== true) return false
  if (await confirm(streams, question, { interactive, option: '--yes', typeName })) return true
  throw failed('cancelled: nothing was changed')
}
