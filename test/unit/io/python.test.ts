import { expect, test } from 'vitest'
import { pyRepr, pyStr } from '../../../src/io/formats/python.ts'

test.each([
  [null, 'None'],
  [true, 'True'],
  [-0.25, '-0.25'],
  [1e-5, '1e-05'],
  [1e21, '1000000000000000000000'],
  ["it's", `"it's"`],
  [`both ' and "`, `'both \\' and "'`],
  ['a\n\t\\\x1b\x7f', `'a\\n\\t\\\\\\x1b\\x7f'`],
  ['é 日本 😀', `'é 日本 😀'`],
  ['\u00a0\u200b\u2028\ufeff', `'\\xa0\\u200b\\u2028\\ufeff'`],
  [{ a: [1, 'b', null], c: {} }, `{'a': [1, 'b', None], 'c': {}}`],
])('repr(%j) is %s', (value, expected) => {
  expect(pyRepr(value)).toBe(expected)
})

test('str() of text is the text', () => {
  expect(pyStr("it's\n")).toBe("it's\n")
})
