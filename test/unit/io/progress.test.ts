import { expect, test, vi } from 'vitest'
import type { Clock } from '../../../src/core/world.ts'
import { makeReporter } from '../../../src/io/progress.ts'
import { createRedactor } from '../../../src/io/redact.ts'
import { makeStyle } from '../../../src/io/style.ts'
import { memoryStreams } from '../../support/streams.ts'

/** The spinner is loaded on first use. */
const patience = { timeout: 60_000 }

/** A clock that the test moves. */
function handClock() {
  let now = 0
  let sleepers: { until: number; wake: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ until: now + ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const advance = async (ms: number) => {
    now += ms
    const due = sleepers.filter(sleeper => sleeper.until <= now)
    sleepers = sleepers.filter(sleeper => sleeper.until > now)
    for (const sleeper of due) sleeper.wake()
    await Promise.resolve()
  }
  return { clock, advance }
}

function reporterOn({ tty = false, ci = false, quiet = false, columns = 80 } = {}) {
  const streams = memoryStreams({ tty, columns })
  const { clock, advance } = handClock()
  const redactor = createRedactor()
  redactor.addSecret('hunter22')
  const reporter = makeReporter({ stderr: streams.stderr, clock, quiet, ci, style: makeStyle(false), redactor })
  return { reporter, streams, advance }
}

test('a log gets a line for each change of state, and none for a repeated state', async () => {
  const { reporter, streams, advance } = reporterOn()
  reporter.step('c1', 'CREATE_IN_PROGRESS')
  reporter.step('c1', 'CREATE_IN_PROGRESS')
  await advance(5_000)
  reporter.note('the password is hunter22')
  reporter.done('c1', 'CREATE_COMPLETE')
  reporter.step('c2', 'joining\x1b[2J')
  reporter.fail('c2')
  reporter.stop()
  expect(streams.err()).toBe(
    'c1: CREATE_IN_PROGRESS\nthe password is [hidden]\nc1: CREATE_COMPLETE (5s)\nc2: joining\\x1b[2J\nc2: failed (0s)\n',
  )
  expect(streams.out()).toBe('')
})

test('a log gets a heartbeat a minute after its last line, until the end', async () => {
  const { reporter, streams, advance } = reporterOn({ tty: true, ci: true })
  reporter.step('c1', 'waiting')
  await advance(40_000)
  reporter.step('c2', 'waiting')
  await advance(20_000)
  expect(streams.err()).toBe('c1: waiting\nc2: waiting\n')
  await advance(40_000)
  expect(streams.err()).toBe('c1: waiting\nc2: waiting\nstill waiting: c1: waiting (100s), c2: waiting (60s)\n')
  streams.clear()
  reporter.stop()
  reporter.stop()
  await advance(600_000)
  expect(streams.err()).toBe('')
})

test('quiet prints nothing', async () => {
  for (const tty of [true, false]) {
    const { reporter, streams, advance } = reporterOn({ quiet: true, tty })
    reporter.step('c1', 'waiting')
    await advance(120_000)
    reporter.fail('c1')
    reporter.note('x')
    reporter.stop()
    expect(streams.err()).toBe('')
  }
})

test('a terminal gets one updated line, with finished items above it, and its cursor back', async () => {
  const { reporter, streams, advance } = reporterOn({ tty: true, columns: 60 })
  reporter.step('c2', 'waiting')
  reporter.step('c3', `connecting to ${'a-very-long-name.'.repeat(5)}`)
  await vi.waitFor(() => expect(streams.err()).toContain('0 of 2 done, c2: waiting · c3: connecting to'), patience)
  expect(streams.err()).toContain('\x1b[?25l')
  await advance(12_000)
  reporter.done('c2', 'joined')
  await vi.waitFor(() => expect(streams.err()).toContain('1 of 2 done, c3: connecting'), patience)
  expect(streams.err()).toContain('✓ c2: joined (12s)\n')
  expect(streams.err()).toContain('(12s)')
  // no line may wrap: a wrapped line cannot be erased
  for (const line of streams.err().split(/\x1b\[[?0-9;]*[a-zA-Z]|\n/)) expect(line.length).toBeLessThanOrEqual(60)
  reporter.stop()
  reporter.stop()
  expect(streams.err().lastIndexOf('\x1b[?25h')).toBeGreaterThan(streams.err().lastIndexOf('\x1b[?25l'))
  streams.clear()
  reporter.note('afterwards')
  expect(streams.err()).toBe('afterwards\n')
})

test('a terminal without a size, as in some CI systems, gets its line too', async () => {
  const { reporter, streams } = reporterOn({ tty: true, columns: 0 })
  reporter.step('c2', 'waiting')
  await vi.waitFor(() => expect(streams.err()).toContain('c2: waiting'), patience)
  reporter.done('c2', 'joined')
  reporter.stop()
  expect(streams.err()).toContain('✓ c2: joined (0s)\n')
})

test('work that ends before the spinner is loaded leaves no trace of it', async () => {
  const { reporter, streams } = reporterOn({ tty: true })
  reporter.step('c1', 'waiting')
  reporter.done('c1', 'ready')
  reporter.stop()
  await import('ora')
  await new Promise(resolve => setImmediate(resolve))
  expect(streams.err()).toBe('✓ c1: ready (0s)\n')
})
