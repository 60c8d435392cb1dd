import { expect, it } from 'vitest'
import { widthOf } from '../../../src/cli/host.ts'

it('gives no width to what goes into a pipe, whatever COLUMNS says', () => {
  const pipe = {}
  const terminal = { isTTY: true, columns: 120 }
  expect(widthOf(pipe, { COLUMNS: '40' })).toBeUndefined()
  expect(widthOf(terminal, { COLUMNS: '40' })).toBe(40)
  for (const COLUMNS of [undefined, '', '0', 'wide', '-1']) expect(widthOf(terminal, { COLUMNS })).toBe(120)
  expect(widthOf({ isTTY: true, columns: 0 }, {})).toBeUndefined()
})
