/** A list that is watched: a table that is drawn anew on a terminal, a line for each change everywhere else. */
import { CoeError, usage } from '../../core/errors.ts'
import { patient } from '../../core/patience.ts'
import { poll } from '../../core/poll.ts'
import { plural } from '../../core/text.ts'
import { formatDuration } from '../../core/time.ts'
import { sanitizeLine } from '../../io/sanitize.ts'
import type { Context } from '../context.ts'
import type { Subject, Watchable } from '../options/watch-options.ts'
import type { Result, Row } from '../spec.ts'
import { printResult } from './print.ts'

/** Servers have other things to do. */
const leastMs = 1_000

interface Round {
  result: Result
  /** What this look could not see, each as one line. */
  troubles: readonly string[]
}

/** Ctrl-C ends it, a server that stays away, or a reader (`| head`) that has gone. */
export async function watchList(
  context: Context,
  { output, subject, look }: Watchable,
  intervalMs: number,
): Promise<undefined> {
  const { format } = context.chosen
  if (format !== undefined && format !== 'table' && format !== 'wide') {
    throw usage('--watch prints a table, or lines of its own', { hint: 'leave out -f' })
  }
  if (intervalMs < leastMs) throw usage('--interval: less than a second is too often')
  const show = context.streams.stdout.isTTY ? drawer(context, output, intervalMs) : teller(context, subject)
  const { clock } = context.world
  const round = async (): Promise<true | undefined> => {
    if (context.streams.stdout.closed) return true
    const troubles: string[] = []
    const result = await look(error => {
      if (!(error instanceof CoeError)) throw error
      troubles.push(error.message)
    })
    await show({ result, troubles })
    return undefined
  }
  await poll(patient(round, { clock, onTrouble: e => context.warn(e.message) }), {
    clock,
    signal: context.signal,
    intervalMs,
    maxIntervalMs: intervalMs,
    what: 'changes',
  })
  return undefined
}

function drawer(context: Context, output: Watchable['output'], intervalMs: number) {
  const { streams, style, world, chosen, warn, redactor } = context
  return async ({ result, troubles }: Round): Promise<void> => {
    const { stdout } = streams
    let table = ''
    const page = {
      isTTY: true,
      columns: stdout.columns,
      write(text: string) {
        table += text
      },
    }
    if (result.rows?.length === 0) table = 'there is nothing to list\n'
    else await printResult(output, result, chosen, { stdout: page, colour: style.colour, env: world.env, warn })
    const time = new Date(world.clock.now()).toISOString().slice(11, 19)
    const title = style.dim(`${time} UTC, every ${formatDuration(intervalMs)}; Ctrl-C ends`)
    const below = troubles.map(text => `${style.yellow('warning:')} ${sanitizeLine(redactor.redact(text))}`)
    // in one piece, or it would flicker: to the corner, the new text, and nothing of the old below it
    stdout.write(`\x1b[H\x1b[2J${title}\n${fitHeight(table, stdout.rows, below)}\x1b[J`)
  }
}

/** What does not fit would push the title and the first rows out of the window, at each look again. */
function fitHeight(table: string, height: number | undefined, below: readonly string[]): string {
  const lines = table.replace(/\n$/, '').split('\n')
  const ending = below.map(line => `${line}\n`).join('')
  // the title, and the line that the cursor stands on
  const room = height === undefined ? lines.length : Math.max(1, height - 2 - below.length)
  if (lines.length <= room) return `${lines.join('\n')}\n${ending}`
  const cut = lines.length - room + 1
  return `${lines.slice(0, room - 1).join('\n')}\n${`… ${plural(cut, 'more line')}: the window is too low`}\n${ending}`
}

/** The state of each at first, then whatever becomes another. */
function teller({ streams, world, warn }: Context, { id, name, state }: Subject) {
  let before: Map<string, Row> | undefined
  let known: readonly string[] = []
  const tell = (row: Row, what: string) => {
    const time = new Date(world.clock.now()).toISOString()
    streams.stdout.write(`${sanitizeLine(`${time} ${name(row)} ${what}`)}\n`)
  }
  return async ({ result, troubles }: Round): Promise<void> => {
    for (const text of troubles) if (!known.includes(text)) warn(text)
    const rows = result.rows ?? []
    const now = new Map(rows.map(row => [id(row), row]))
    for (const row of rows) {
      const old = before?.get(id(row))
      if (!old) tell(row, `${before ? 'new: ' : ''}${state(row)}`)
      else if (state(old) !== state(row)) tell(row, `${state(old)} -> ${state(row)}`)
    }
    for (const [key, row] of before ?? []) {
      if (now.has(key)) continue
      // it may be there all the same, where somebody could not be asked
      if (troubles.length) now.set(key, row)
      else tell(row, 'gone')
    }
    before = now
    known = troubles
  }
}
