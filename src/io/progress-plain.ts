import { formatDuration } from '../core/time.ts'
import { noteLines, type Reporter, type ReporterOptions } from './progress.ts'
import { sanitizeLine } from './sanitize.ts'

/** CI systems kill jobs that print nothing for minutes. */
const heartbeatMs = 60_000

/** Progress for logs: a line for each change of state, and a heartbeat every minute in between. */
export function plainReporter({ stderr, clock, redactor, stepLine }: ReporterOptions): Reporter {
  const running = new Map<string, { text: string; since: number }>()
  const ended = new AbortController()
  let lastLine = clock.now()
  let beating = false
  const clean = (text: string) => sanitizeLine(redactor?.redact(text) ?? text)
  const line = (text: string) => {
    lastLine = clock.now()
    stderr.write(`${text}\n`)
  }
  const labelled = (id: string, text: string) => (id ? `${clean(id)}: ${clean(text)}` : clean(text))

  const beat = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(Math.max(1, lastLine + heartbeatMs - clock.now()), ended.signal)
      if (!running.size) {
        beating = false
        return
      }
      if (clock.now() - lastLine < heartbeatMs) continue
      const items = [...running].map(
        ([id, item]) => `${labelled(id, item.text)} (${formatDuration(clock.now() - item.since)})`,
      )
      line(`still waiting: ${items.join(', ')}`)
    }
  }
  const finish = (id: string, text: string) => {
    const item = running.get(id)
    running.delete(id)
    line(`${labelled(id, text)}${item ? ` (${formatDuration(clock.now() - item.since)})` : ''}`)
  }

  return {
    step(id, text) {
      const before = running.get(id)
      running.set(id, { text, since: before?.since ?? clock.now() })
      if (before?.text !== text) line(labelled(id, text))
      if (beating || ended.signal.aborted) return
      beating = true
      // stop() ends the sleep by rejecting it
      beat().catch(() => {})
    },
    done: (id, text = 'done') => finish(id, text),
    fail: (id, text = 'failed') => finish(id, text),
    note(text, next) {
      for (const part of noteLines(text, next, stepLine)) line(clean(part))
    },
    stop: () => ended.abort(),
  }
}
