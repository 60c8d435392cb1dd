import { expect, test } from 'vitest'
import { type LogLevel, makeLog } from '../../../src/io/log.ts'
import { createRedactor } from '../../../src/io/redact.ts'
import { makeStyle } from '../../../src/io/style.ts'
import { memoryStreams } from '../../support/streams.ts'

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), sleep: async () => {} }

function logAt(level: LogLevel, { tty = false, file = false } = {}) {
  const streams = memoryStreams({ tty })
  const redactor = createRedactor()
  redactor.addSecret('hunter22')
  let filed = ''
  const log = makeLog({
    level,
    stderr: streams.stderr,
    redactor,
    clock,
    style: makeStyle(false),
    file: file ? { write: text => (filed += text) } : undefined,
  })
  log.warn('a warning')
  log.info('an info')
  log.debug(() => 'a request with hunter22')
  log.trace('a body\x1b[2J')
  return { log, err: streams.err(), out: streams.out(), filed }
}

test.each([
  ['quiet', ''],
  ['normal', 'warning: a warning\n'],
  ['info', 'warning: a warning\nan info\n'],
  ['debug', 'warning: a warning\nan info\na request with [hidden]\n'],
  ['trace', 'warning: a warning\nan info\na request with [hidden]\na body\x1b[2J\n'],
] as const)('%s', (level, expected) => {
  const { err, out } = logAt(level)
  expect(err).toBe(expected)
  expect(out).toBe('')
})

test('a terminal is safe from the text of servers', () => {
  expect(logAt('trace', { tty: true }).err).toContain('a body\\x1b[2J\n')
})

test('a log file has times and requests, independent of the console', () => {
  const { err, filed } = logAt('quiet', { file: true })
  expect(err).toBe('')
  expect(filed).toBe(
    '2026-01-02T03:04:05.000Z warn a warning\n2026-01-02T03:04:05.000Z info an info\n' +
      '2026-01-02T03:04:05.000Z debug a request with [hidden]\n',
  )
})

test('a message that is not written is not made', () => {
  const { log } = logAt('normal')
  log.debug(() => {
    throw new Error('put together')
  })
  expect([log.enabled('normal'), log.enabled('debug')]).toEqual([true, false])
})
