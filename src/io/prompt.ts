import { usage } from '../core/errors.ts'
import { fold } from './formats/fold.ts'
import { sanitizeLine } from './sanitize.ts'
import type { Streams } from './streams.ts'

export interface Interactive {
  /** False if questions cannot be answered: no terminal, CI, `--no-input`. */
  interactive: boolean
  /** The option that answers without asking: `--yes`. */
  option: string
}

export interface Question extends Interactive {
  /** The name of the object to be deleted, which the user must type to agree. Without it, `y` is enough. */
  typeName?: string | undefined
}

/** Asks on stderr, because stdout is for the result. Only a clear yes counts as yes; the end of input is a no. */
export async function confirm(streams: Streams, question: string, options: Question): Promise<boolean> {
  const shown = sanitizeLine(question)
  if (!options.interactive) {
    throw usage(`confirmation needed, but this run is not interactive: ${shown}`, {
      hint: `${options.option} confirms`,
    })
  }
  const { typeName } = options
  const how = typeName === undefined ? '[y/N]' : `Type ${sanitizeLine(typeName)} to go on:`
  const { stderr } = streams
  stderr.write(`${fold(`${shown} ${how}`, stderr.isTTY ? stderr.columns : undefined)} `)
  const answer = await streams.stdin.readLine()
  if (answer === undefined) streams.stderr.write('\n')
  if (typeName !== undefined) return answer?.trim() === typeName
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

/** Asks for a password without showing it. */
export async function password(streams: Streams, label: string, options: Interactive): Promise<string> {
  const missing = (why: string) =>
    usage(`${sanitizeLine(label)} is needed, and ${why}`, { hint: `give it with ${options.option}` })
  if (!options.interactive) throw missing('this run is not interactive')
  streams.stderr.write(`${sanitizeLine(label)}: `)
  const answer = await streams.stdin.readLine({ hidden: true })
  // the terminal did not echo the Enter key
  streams.stderr.write('\n')
  if (answer === undefined)
    throw usage(`cancelled: no ${sanitizeLine(label).toLowerCase()} was given`, {
      hint: `give it with ${options.option}`,
    })
  if (!answer) throw missing('none was given')
  return answer
}
