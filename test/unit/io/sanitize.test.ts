import { expect, test } from 'vitest'
import { sanitize, sanitizeLine } from '../../../src/io/sanitize.ts'

test.each([
  ['\x1b]0;title\x07', '\\x1b]0;title\\x07'],
  ['a\rb', 'a\\rb'],
  ['\x9b31m', '\\x9b31m'],
  ['a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['\x7f\0', '\\x7f\\x00'],
  ['wörd 日本 👩‍🚀', 'wörd 日本 👩‍🚀'],
])('%j is shown as %j', (given, shown) => {
  expect(sanitize(given)).toBe(shown)
  expect(sanitizeLine(given)).toBe(shown)
})

test('line breaks stay in text, but not in a name within a sentence', () => {
  expect(sanitize('a\r\nb\tc\n')).toBe('a\nb\tc\n')
  expect(sanitizeLine('c1\ncoe: deleted')).toBe('c1\\ncoe: deleted')
})
