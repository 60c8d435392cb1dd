/** Asking before something that cannot be undone. Where nobody can be asked, `--yes` (or COE_YES for whole scripts) must say it. */
import { failed } from '../core/errors.ts'
import { confirm } from '../io/prompt.ts'
import type { Context } from './context.ts'
import { flag } from './values.ts'

export const yesOption = flag('yes', 'do not ask, do it', { short: 'y', env: 'COE_YES' })

export interface Consent {
  yes: boolean
  /** To be typed out by who agrees: the name of what will be gone. */
  typeName?: string
  /** For verbs of the stock client, which scripts call as they are: off a terminal it is done, with this warning. `--no-input` refuses. */
  unasked?: string
}

/** Returns when it may be done; throws otherwise. */
export async function agreed(context: Context, question: string, { yes, typeName, unasked }: Consent): Promise<void> {
  const standing = context.world.env.COE_YES
  if (yes || (standing !== undefined && !['', '0', 'false', 'no'].includes(standing))) return
  const { interactive, streams, globals } = context
  if (unasked !== undefined && !interactive && globals.noInput !== true) return context.warn(unasked)
  if (await confirm(streams, question, { interactive, option: '--yes', typeName })) return
  throw failed('not agreed to: nothing was changed')
}
