/** Two dialects of one change: what becomes a field, what goes on as it was written, and what is refused. */
import { describe, expect, it } from 'vitest'
import {
  asDictionary,
  asNumber,
  asText,
  changeOf,
  isEmpty,
  type StockPaths,
} from '../../../src/cli/parse/change-arguments.ts'
import type { LabelChange } from '../../../src/model/change.ts'

interface Fields {
  name?: string
  nodes?: number
  reason?: Readonly<Record<string, string>>
}
const paths: StockPaths<Fields> = {
  name: ['name', asText],
  node_count: ['nodes', asNumber],
  health_status_reason: ['reason', asDictionary],
}

const change = (line: string, set: Fields = {}, labels?: LabelChange) => {
  const [op, ...attributes] = line.split(' ')
  const words = { op: (op || undefined) as 'add' | undefined, attributes }
  return changeOf<Fields>(words, { set, ...(labels ? { labels } : {}) }, paths)
}
const nothing = { set: {}, unset: [], labels: { set: {}, unset: [] }, patch: [] }

describe('the older dialect', () => {
  it('becomes fields and labels', () => {
    expect(change('replace node_count=3 name=x health_status_reason=api=down')).toEqual({
      ...nothing,
      set: { nodes: 3, name: 'x', reason: { api: 'down' } },
    })
    expect(change('remove name labels/a')).toEqual({ ...nothing, unset: ['name'], labels: { set: {}, unset: ['a'] } })
    expect(change('add labels/a=1 labels/__proto__=2').labels.set).toEqual({ a: '1', ['__proto__']: '2' })
  })

  it.each([
    ['a verb with a condition', 'add name=x', [{ op: 'add', path: 'name', value: 'x' }]],
    ['a label that must be there', 'replace labels/a=1', [{ op: 'replace', path: 'labels/a', value: '1' }]],
    ['a value of another type', 'replace name=5', [{ op: 'replace', path: 'name', value: 5 }]],
    ['a path without a field', 'replace odd=1', [{ op: 'replace', path: 'odd', value: 1 }]],
    ['a name of every object', 'replace constructor=1', [{ op: 'replace', path: 'constructor', value: 1 }]],
    [
      'all of a line that has one of these',
      'replace name=x odd=1',
      [
        { op: 'replace', path: 'name', value: 'x' },
        { op: 'replace', path: 'odd', value: 1 },
      ],
    ],
  ])('goes on as it was written: %s', (_, line, patch) => {
    expect(change(line)).toEqual({ ...nothing, patch })
  })
})

describe('both dialects', () => {
  it('are one change', () => {
    const both = change('replace node_count=3', { name: 'x' }, { set: { a: '1' }, unset: [] })
    expect(both).toEqual({ ...nothing, set: { nodes: 3, name: 'x' }, labels: { set: { a: '1' }, unset: [] } })
  })

  it('say the same once', () => {
    expect(change('replace node_count=3', { nodes: 3 })).toEqual({ ...nothing, set: { nodes: 3 } })
    const written = change('replace node_count=3 odd=1', { nodes: 3, name: 'x' })
    expect(written.set).toEqual({ name: 'x' })
    expect(written.patch).toHaveLength(2)
  })

  it.each([
    ['replace node_count=3', { nodes: 2 }, 'node_count is given twice, with different values'],
    ['remove name', { name: 'x' }, 'name is given twice, with different values'],
    ['replace name=x name=y', {}, 'name is given twice, with different values'],
  ])('contradict each other: %s', (line, set, message) => {
    expect(() => change(line, set)).toThrow(message)
  })

  it('do not set and remove one label', () => {
    expect(() => change('remove labels/a', {}, { set: { a: '1' }, unset: [] })).toThrow(
      'label "a" cannot be set and removed at once',
    )
  })
})

it('tells whether anything is to be changed', () => {
  expect(isEmpty(change(''))).toBe(true)
  for (const line of ['add labels/a=1', 'remove labels/a', 'remove name', 'replace name=x', 'add name=x'])
    expect(isEmpty(change(line)), line).toBe(false)
})
