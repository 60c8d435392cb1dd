import { formatDuration } from '../core/time.ts'
import type { Clock } from '../core/world.ts'
import { fold } from './formats/fold.ts'
import { truncate } from './formats/width.ts'
import { plainReporter } from './progress-plain.ts'
import type { Redactor } from './redact.ts'
import { sanitizeLine } from './sanitize.ts'
import type { Sink } from './streams.ts'
import type { Style } from './style.ts'

/** How a long operation is going. An id is what people call the item: `c2`, `etcd`; it is printed before its text. */
export interface Reporter {
  /**
   * The item started, or is in another state now.
   * @param trouble it says why something does not come about: it is shown whole, and stays
   */
  step(id: string, text: string, trouble?: boolean): void
  done(id: string, text?: string): void
  fail(id: string, text?: string): void
  /** A line that stays, about nothing in particular. */
  note(text: string): void
  /** Takes the spinner away and gives the cursor back. Twice does no harm; what is said later is printed plainly. */
  stop(): void
}

export interface ReporterOptions {
  /** All progress goes there; stdout is the result's. */
  stderr: Sink
  clock: Clock
  /** `-q`: nothing at all. */
  quiet: boolean
  /** Logs of machines and terminals that cannot move the cursor (TERM=dumb) get plain lines. */
  ci: boolean
  style: Style
  redactor?: Redactor | undefined
}

const silent: Reporter = { step() {}, done() {}, fail() {}, note() {}, stop() {} }

export function makeReporter(options: ReporterOptions): Reporter {
  if (options.quiet) return silent
  return options.stderr.isTTY && !options.ci ? spinnerReporter(options) : plainReporter(options)
}

interface Item {
  text: string
  since: number
}

function spinnerReporter({ stderr, clock, style, redactor }: ReporterOptions): Reporter {
  const stream = oraStream(stderr)
  const started = clock.now()
  const running = new Map<string, Item>()
  let finished = 0
  let stopped = false
  let spinner: { text: string; stop(): unknown } | undefined
  const clean = (text: string) => sanitizeLine(redactor?.redact(text) ?? text)
  const labelled = (id: string, text: string) => (id ? `${clean(id)}: ${clean(text)}` : clean(text))
  const elapsed = (since: number) => formatDuration(Math.max(0, Math.floor((clock.now() - since) / 1000) * 1000))

  // the spinner before and the time after it take their share; a second line would flicker
  const room = () => Math.max(10, stream.columns - 14)
  const summary = (): string => {
    const items = [...running].map(([id, item]) => labelled(id, item.text))
    const count = items.length + finished
    const text = [...(count > 1 ? [`${finished} of ${count} done`] : []), items.join(' · ')].filter(Boolean).join(', ')
    return truncate(text, room())
  }
  const refresh = () => {
    if (spinner) spinner.text = summary()
  }
  const start = async () => {
    const { default: ora } = await import('ora')
    if (stopped) return
    spinner = ora({
      stream,
      text: summary(),
      suffixText: () => style.dim(`(${elapsed(started)})`),
      color: style.colour ? 'cyan' : false,
      isEnabled: true,
      // it would take the terminal's input, and Ctrl-C with it
      discardStdin: false,
    }).start()
  }
  let loading = false
  /** While the spinner turns, it watches its stream: a line written there goes above it. */
  const line = (text: string) => stream.write(`${fold(text, stream.columns)}\n`)
  const finish = (mark: string, id: string, text: string) => {
    const item = running.get(id)
    running.delete(id)
    finished++
    refresh()
    line(`${mark} ${labelled(id, text)}${item ? style.dim(` (${elapsed(item.since)})`) : ''}`)
  }

  return {
    step(id, text, trouble = false) {
      const before = running.get(id)
      running.set(id, { text, since: before?.since ?? clock.now() })
      // the spinner has one line, and cuts off what is longer
      if (trouble && before?.text !== text) line(labelled(id, text))
      refresh()
      if (stopped || loading) return
      loading = true
      // a spinner that cannot be loaded is no reason to fail what it is about
      start().catch(() => {})
    },
    done: (id, text = 'done') => finish(style.green('✓'), id, text),
    fail: (id, text = 'failed') => finish(style.red('✗'), id, text),
    note: text => line(clean(text)),
    stop() {
      if (stopped) return
      stopped = true
      spinner?.stop()
    },
  }
}

/** What ora needs of a terminal, on top of a sink. */
function oraStream(sink: Sink): NodeJS.WriteStream {
  const stream = {
    isTTY: true,
    get columns() {
      // ora divides by it: with the 0 of a terminal without a size it would clear lines for ever
      return sink.columns || 80
    },
    write(text: string | Uint8Array) {
      sink.write(String(text))
      return true
    },
    cursorTo: (x: number) => stream.write(`\x1b[${x + 1}G`),
    moveCursor: (_x: number, y: number) => y < 0 && stream.write(`\x1b[${-y}A`),
    clearLine: () => stream.write('\x1b[K'),
    once: () => stream,
    removeListener: () => stream,
  }
  return stream as unknown as NodeJS.WriteStream
}
