import { expect, it } from 'vitest'
import { parseBounded } from '../../../src/core/bounded-json.ts'
import { stringifyExact } from '../../../src/core/exact-json.ts'

it('keeps the digits of integers, and changes nothing else', () => {
  const text =
    '{"n":9007199254740993,"l":[-12345678901234567890,1,1.5e300,0.1234567890123456],"s":"9007199254740993 \\"9007199254740993"}'
  const value = parseBounded(text, true)
  expect(value).toEqual({
    n: 9007199254740993n,
    l: [-12345678901234567890n, 1, 1.5e300, 0.1234567890123456],
    s: '9007199254740993 "9007199254740993',
  })
  expect(stringifyExact(value)).toBe(text.replace('1.5e300', '1.5e+300'))
  expect(parseBounded('{"__proto__":9007199254740993}', true)).toHaveProperty(['__proto__'])
  expect(parseBounded('[9007199254740991]', true)).toEqual([9007199254740991])
  expect(() => parseBounded('{"n":9007199254740993', true)).toThrow(SyntaxError)
  expect(stringifyExact({ a: 1 })).toBe('{"a":1}')
})
