import { expect, test } from 'vitest'
import { makeStyle, paintStatus, wantsColour } from '../../../src/io/style.ts'
import { memoryStreams } from '../../support/streams.ts'

const terminal = memoryStreams({ tty: true }).stdout
const file = memoryStreams().stdout

test.each([
  ['a terminal', 'auto', {}, terminal, true],
  ['a file', 'auto', {}, file, false],
  ['NO_COLOR', 'auto', { NO_COLOR: '1' }, terminal, false],
  ['an empty NO_COLOR', 'auto', { NO_COLOR: '' }, terminal, true],
  ['a dumb terminal', 'auto', { TERM: 'dumb' }, terminal, false],
  ['FORCE_COLOR into a file', 'auto', { FORCE_COLOR: '1' }, file, true],
  ['FORCE_COLOR over NO_COLOR', 'auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, terminal, true],
  ['FORCE_COLOR=0', 'auto', { FORCE_COLOR: '0' }, terminal, false],
  ['--color always', 'always', { NO_COLOR: '1', TERM: 'dumb' }, file, true],
  ['--color never', 'never', { FORCE_COLOR: '1' }, terminal, false],
] as const)('%s', (_what, mode, env, sink, expected) => {
  expect(wantsColour(mode, env, sink)).toBe(expected)
})

test('without colour text stays unchanged', () => {
  expect(makeStyle(false).bold('x')).toBe('x')
  expect(makeStyle(true).bold('x')).toBe('\x1b[1mx\x1b[22m')
})

test('statuses are green, yellow or red', () => {
  const style = makeStyle(true)
  expect(paintStatus('UPDATE_COMPLETE', style)).toBe(style.green('UPDATE_COMPLETE'))
  expect(paintStatus('DELETE_IN_PROGRESS', style)).toBe(style.yellow('DELETE_IN_PROGRESS'))
  expect(paintStatus('UNHEALTHY', style)).toBe(style.red('UNHEALTHY'))
  expect(paintStatus('HEALTHY', style)).toBe(style.green('HEALTHY'))
  expect(paintStatus('something', style)).toBe('something')
})
