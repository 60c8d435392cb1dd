/** Asks for confirmation before anything that cannot be undone. Off a terminal, `--yes` (or COE_YES in scripts) is needed. */
import { failed } from '../../core/errors.ts'
import { confirm } from '../../io/prompt.ts'
import type { Context } from '../context.ts'
import { flag } from '../parse/values.ts'

export const yesOption = flag('yes', 'do not ask for confirmation', { short: 'y', env: 'COE_YES' })

export interface Consent {
  yes: boolean
  /** The name of what will be deleted, which the user has to type. */
  typeName?: string
  /** For verbs of the stock client, which existing scripts call: off a terminal, no confirmation is needed, except with `--no-input`. */
  silenceIsYes?: boolean
}

/** Resolves if coe may go on, with true if the user has confirmed it; throws otherwise. */
export async function requireConsent(context: Context, question: string, consent: Consent): Promise<boolean> {
  const { yes, typeName, silenceIsYes = false } = consent
  const { COE_YES } = context.world.env
  if (yes || (COE_YES !== undefined && !['', '0', 'false', 'no'].includes(COE_YES))) return true
  const { interactive, streams, globals } = context
  if (silenceIsYes && !interactive && globals.noInput !== true) return false
  if (await confirm(streams, question, { interactive, option: '--yes', typeName })) return true
  throw failed('cancelled: nothing was changed')
}
