import { expect, it } from 'vitest'
import { someOf } from '../../../src/core/text.ts'

it('names at most five, and counts more', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(someOf([])).toBe('')
  expect(someOf(names.slice(1))).toBe('b, c, d, e, f')
  expect(someOf(names)).toBe('6 (a, b, c, …)')
  expect(someOf(names, 'context')).toBe('6 contexts (a, b, c, …)')
})
