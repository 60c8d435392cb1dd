import type { NextStep } from '../core/next-step.ts'
import { formatDuration } from '../core/time.ts'
import type { Clock } from '../core/world.ts'
import { fold } from './formats/fold.ts'
import { truncate } from './formats/width.ts'
import { plainReporter } from './progress-plain.ts'
import type { Redactor } from './redact.ts'
import { sanitizeLine } from './sanitize.ts'
import type { Sink } from './streams.ts'
import type { Style } from './style.ts'

/** Progress of a long operation. The id is the name of an item, such as `c2` or `etcd`; it is printed before the text. */
export interface Reporter {
  /**
   * The item has started or changed its state.
   * @param trouble the text says why something is delayed: it is shown in full on a line of its own
   */
  step(id: string, text: string, trouble?: boolean): void
  done(id: string, text?: string): void
  fail(id: string, text?: string): void
  /** Prints a permanent line that belongs to no item, and what to run next. */
  note(text: string, next?: readonly NextStep[]): void
  /** Removes the spinner and restores the cursor. May be called twice; later messages are printed as plain lines. */
  stop(): void
}

export interface ReporterOptions {
  /** All progress goes here; stdout is for the result. */
  stderr: Sink
  clock: Clock
  /** `-q`: no progress at all. */
  quiet: boolean
  /** CI logs and terminals that cannot move the cursor (TERM=dumb) get plain lines. */
  ci: boolean
  style: Style
  redactor?: Redactor | undefined
  /** A next step as a line; without it none is shown. */
  stepLine?: ((step: NextStep) => string) | undefined
}

const silent: Reporter = { step() {}, done() {}, fail() {}, note() {}, stop() {} }

export const noteLines = (text: string, next: readonly NextStep[] = [], stepLine: ReporterOptions['stepLine']) => [
  text,
  ...(stepLine ? next.map(stepLine) : []),
]

export function makeReporter(options: ReporterOptions): Reporter {
  if (options.quiet) return silent
  return options.stderr.isTTY && !options.ci ? spinnerReporter(options) : plainReporter(options)
}

interface Item {
  text: string
  since: number
}

function spinnerReporter({ stderr, clock, style, redactor, stepLine }: ReporterOptions): Reporter {
  const stream = oraStream(stderr)
  const started = clock.now()
  const running = new Map<string, Item>()
  let finished = 0
  let stopped = false
  let spinner: { text: string; stop(): unknown } | undefined
  const clean = (text: string) => sanitizeLine(redactor?.redact(text) ?? text)
  const labelled = (id: string, text: string) => (id ? `${clean(id)}: ${clean(text)}` : clean(text))
  const elapsed = (since: number) => formatDuration(Math.max(0, Math.floor((clock.now() - since) / 1000) * 1000))

  // leaves width for the spinner and the elapsed time; a second line would flicker
  const textWidth = () => Math.max(10, stream.columns - 14)
  const summary = (): string => {
    const items = [...running].map(([id, item]) => labelled(id, item.text))
    const count = items.length + finished
    const text = [...(count > 1 ? [`${finished} of ${count} done`] : []), items.join(' · ')].filter(Boolean).join(', ')
    return truncate(text, textWidth())
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
      // otherwise ora would swallow the terminal's input, including Ctrl-C
      discardStdin: false,
    }).start()
  }
  let loading = false
  /** The running spinner watches its stream and moves a line written there above itself. */
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
      // the spinner cuts text to one line
      if (trouble && before?.text !== text) line(labelled(id, text))
      refresh()
      if (stopped || loading) return
      loading = true
      // a spinner that fails to load must not fail the operation
      start().catch(() => {})
    },
    done: (id, text = 'done') => finish(style.green('✓'), id, text),
    fail: (id, text = 'failed') => finish(style.red('✗'), id, text),
    note(text, next) {
      for (const part of noteLines(text, next, stepLine)) line(clean(part))
    },
    stop() {
      if (stopped) return
      stopped = true
      spinner?.stop()
    },
  }
}

/** The parts of a terminal that ora needs, on top of a sink. */
function oraStream(sink: Sink): NodeJS.WriteStream {
  const stream = {
    isTTY: true,
    get columns() {
      // ora divides by this: with 0 (a terminal without a size) it would clear lines for ever
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
