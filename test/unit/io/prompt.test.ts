import { expect, test } from 'vitest'
import { confirm, password } from '../../../src/io/prompt.ts'
import { memoryStreams } from '../../support/streams.ts'

const atTerminal = { interactive: true, option: '--yes' }

test.each([
  ['y\n', true],
  [' YES \n', true],
  ['n\n', false],
  ['\n', false],
  ['yep\n', false],
  ['', false],
])('the answer %j is %s', async (input, expected) => {
  const streams = memoryStreams({ tty: true, input })
  expect(await confirm(streams, 'delete federation f?', atTerminal)).toBe(expected)
  expect(streams.err()).toMatch(/^delete federation f\? \[y\/N\] /)
  expect(streams.out()).toBe('')
})

test('a valuable object must be confirmed by its name', async () => {
  const answer = (input: string) => confirm(memoryStreams({ input }), 'delete f?', { ...atTerminal, typeName: 'f' })
  expect(await answer('y\n')).toBe(false)
  expect(await answer('f\n')).toBe(true)
  expect(await answer('')).toBe(false)
})

test('a run that is not interactive names the option that confirms, and reads nothing', async () => {
  const streams = memoryStreams({ input: 'y\n' })
  const refused = confirm(streams, 'delete federation f?', { interactive: false, option: '--yes' })
  await expect(refused).rejects.toMatchObject({ outcome: 'usage', hint: '--yes confirms' })
  await expect(refused).rejects.toThrow('delete federation f?')
  expect(streams.err()).toBe('')
  expect(await streams.stdin.readLine()).toBe('y')
})

test('a name cannot forge the question', async () => {
  const streams = memoryStreams({ input: 'n\n' })
  await confirm(streams, 'delete "f\r\x1b[2Kkeep everything"?', atTerminal)
  expect(streams.err()).toBe('delete "f\\r\\x1b[2Kkeep everything"? [y/N] ')
})

test('a password is asked for on stderr, and an empty one is an error', async () => {
  const streams = memoryStreams({ tty: true, input: 'hunter22\n' })
  expect(await password(streams, 'Password for demo', { interactive: true, option: '--os-password' })).toBe('hunter22')
  expect(streams.err()).toBe('Password for demo: \n')
  for (const [input, interactive] of [
    ['', true],
    ['\n', true],
    ['x\n', false],
  ] as const) {
    await expect(
      password(memoryStreams({ input }), 'Password', { interactive, option: '--os-password' }),
    ).rejects.toMatchObject({
      outcome: 'usage',
      hint: 'give it with --os-password',
    })
  }
})
