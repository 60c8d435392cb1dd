import { expect, test } from 'vitest'
import { render } from '../../../src/io/formats/format.ts'
import { defaultFormatOptions, list, pipe, piped } from './sample.ts'

const sorted = async (values: unknown[], sortDirection?: 'asc' | 'desc') => {
  const warnings: string[] = []
  const rows = values.map((value, index) => [value, index])
  const options = {
    ...defaultFormatOptions,
    format: 'json' as const,
    noindent: true,
    sortColumns: ['v'],
    sortDirection,
  }
  const shown = await render({ kind: 'list', columns: ['v', 'i'], rows }, options, pipe, warning =>
    warnings.push(warning),
  )
  return { order: (JSON.parse(shown) as { i: number }[]).map(row => row.i), warnings }
}

// difference: columns-any-case
test('columns come in the order of the command, however they are spelled and asked for', async () => {
  expect(await piped(list, { format: 'csv', columns: ['Status', ' node COUNT ', 'name'] })).toMatch(
    /^"name","node_count","status"\n/,
  )
})

// difference: unknown-column
test('only unknown columns are a usage error that lists the columns', async () => {
  await expect(piped(list, { columns: ['nmae'] })).rejects.toMatchObject({
    outcome: 'usage',
    message: 'no such column: "nmae"',
    hint: 'did you mean "name"? the columns are uuid, name, node_count, labels, ready, status',
  })
})

// difference: unknown-column
test('an unknown column among known ones is left out with a warning', async () => {
  const warnings: string[] = []
  const options = { ...defaultFormatOptions, format: 'value' as const, columns: ['name', 'statsu'] }
  expect(await render(list, options, pipe, warning => warnings.push(warning))).toBe('c1\n日本 é\ntwo\nlines\n')
  expect(warnings).toEqual(['unknown column ignored: "statsu" (did you mean "status"?)'])
})

test('missing values sort last, equal rows keep their order', async () => {
  expect((await sorted([3, null, 1, 10, 1])).order).toEqual([2, 4, 0, 3, 1])
  expect((await sorted([3, null, 1, 10, 1], 'desc')).order).toEqual([1, 3, 0, 2, 4])
  expect((await sorted(['b', 'B', 'a', '\u{10000}', '\uffff'])).order).toEqual([1, 2, 0, 4, 3])
  expect((await sorted([true, 0, 2])).order).toEqual([1, 0, 2])
  expect((await sorted([[2], [1, 5], [1]])).order).toEqual([2, 1, 0])
})

test('values of different types are not sorted, with a warning', async () => {
  const mixed = await sorted(['b', 1, 'a'])
  expect(mixed.order).toEqual([0, 1, 2])
  expect(mixed.warnings).toEqual(['cannot sort by "v": its values have different types'])
  expect((await sorted([{ b: 1 }, { a: 1 }])).warnings).toHaveLength(1)
})

// difference: unknown-sort-column
test('the first sort column counts most, a sort column need not be shown, an unknown one gives a warning', async () => {
  const rows = [
    ['x', 2],
    ['y', 1],
    ['x', 1],
  ]
  const warnings: string[] = []
  const options = { ...defaultFormatOptions, format: 'value' as const, columns: ['n'], sortColumns: ['a', 'n', 'zzz'] }
  expect(await render({ kind: 'list', columns: ['a', 'n'], rows }, options, pipe, w => warnings.push(w))).toBe(
    '1\n2\n1\n',
  )
  expect(warnings).toEqual(['no such column to sort by: "zzz" (ignored)'])
})

test('json rows have the order of the values shown', async () => {
  const table = { kind: 'list' as const, columns: ['n'], rows: [['b'], ['a']], jsonRows: [[2], [1]] }
  expect(await piped(table, { format: 'json', noindent: true, sortColumns: ['n'] })).toBe('[{"n": 1}, {"n": 2}]\n')
})
