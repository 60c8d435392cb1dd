/** Repeats a list: redraws a table on a terminal, prints a line for each change elsewhere. */
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

/** The shortest interval, to spare the servers. */
const leastMs = 1_000

interface Round {
  result: Result
  /** Errors about parts of the list, one line each. */
  troubles: readonly string[]
}

/** Runs until Ctrl-C, until a server stays unreachable, or until the reader of the output (`| head`) has gone. */
export async function watchList(
  context: Context,
  { output, subject, list }: Watchable,
  intervalMs: number,
): Promise<undefined> {
  const { format } = context.chosen
  if (format !== undefined && format !== 'table' && format !== 'wide') {
    throw usage('--watch prints a table, or lines of its own', { hint: 'omit -f' })
  }
  if (intervalMs < leastMs) throw usage('--interval: the minimum is 1s')
  const show = context.streams.stdout.isTTY ? tableDrawer(context, output, intervalMs) : changePrinter(context, subject)
  const { clock } = context.world
  const round = async (): Promise<true | undefined> => {
    if (context.streams.stdout.closed) return true
    const troubles: string[] = []
    const result = await list(error => {
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

function tableDrawer(context: Context, output: Watchable['output'], intervalMs: number) {
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
    // one write avoids flicker: move to the corner, print the new text, clear the old text below it
    stdout.write(`\x1b[H\x1b[2J${title}\n${fitHeight(table, stdout.rows, below)}\x1b[J`)
  }
}

/** Cuts rows that do not fit, which would push the title and the first rows out of the window. */
function fitHeight(table: string, height: number | undefined, below: readonly string[]): string {
  const lines = table.replace(/\n$/, '').split('\n')
  const ending = below.map(line => `${line}\n`).join('')
  // the title, and the line that the cursor stands on
  const room = height === undefined ? lines.length : Math.max(1, height - 2 - below.length)
  if (lines.length <= room) return `${lines.join('\n')}\n${ending}`
  const cut = lines.length - room + 1
  return `${lines.slice(0, room - 1).join('\n')}\n${`… ${plural(cut, 'more line')}: the window is too low`}\n${ending}`
}

/** Prints the state of each row at first, then each change. */
function changePrinter({ streams, world, warn }: Context, { id, name, state }: Subject) {
  let before: Map<string, Row> | undefined
  let known: readonly string[] = []
  const print = (row: Row, what: string) => {
    const time = new Date(world.clock.now()).toISOString()
    streams.stdout.write(`${sanitizeLine(`${time} ${name(row)} ${what}`)}\n`)
  }
  return async ({ result, troubles }: Round): Promise<void> => {
    for (const text of troubles) if (!known.includes(text)) warn(text)
    const rows = result.rows ?? []
    const now = new Map(rows.map(row => [id(row), row]))
    for (const row of rows) {
      const old = before?.get(id(row))
      if (!old) print(row, `${before ? 'new: ' : ''}${state(row)}`)
      else if (state(old) !== state(row)) print(row, `${state(old)} -> ${state(row)}`)
    }
    for (const [key, row] of before ?? []) {
      if (now.has(key)) continue
      // it may still exist, where a server did not answer
      if (troubles.length) now.set(key, row)
      else print(row, 'gone')
    }
    before = now
    known = troubles
  }
}
