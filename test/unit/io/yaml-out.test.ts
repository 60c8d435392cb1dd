import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlText } from '../../../src/io/formats/yaml-out.ts'
import { list, one, piped, text } from './sample.ts'

test("lists have their keys sorted, one object keeps the command's order", async () => {
  expect(await piped(list, { format: 'yaml' })).toBe(text`
- labels:
    a: b
    it's: x"y
  name: c1
  node_count: 3
  ready: true
  status: CREATE_COMPLETE
  uuid: b3c5a4d2-1111
- labels: []
  name: "\u65E5\u672C \xE9"
  node_count: 12
  ready: null
  status: DELETE_FAILED
  uuid: c7
- labels:
  - '1'
  - 2
  - x: null
  name: 'two

    lines'
  node_count: null
  ready: false
  status: ''
  uuid: d,"q"
`)
  expect(await piped(one, { format: 'yaml' })).toBe(text`
name: c1
status_reason: null
labels:
  master_lb_enabled: 'True'
  "\xE9": a'b
node_addresses:
- 10.0.0.4
- 10.0.0.5
node_count: 2
has:colon-dash: say "hi"
text: "one\r\ntwo"
`)
  expect(await piped({ kind: 'list', columns: ['a'], rows: [] }, { format: 'yaml' })).toBe('[]\n')
})

test.each([
  ['1.0', `'1.0'`],
  ['10', `'10'`],
  ['0x1F', `'0x1F'`],
  ['017', `'017'`],
  ['089', '089'],
  ['190:20:30', `'190:20:30'`],
  ['1e3', '1e3'],
  ['1.5e+3', `'1.5e+3'`],
  ['.inf', `'.inf'`],
  ['true', `'true'`],
  ['Yes', `'Yes'`],
  ['y', 'y'],
  ['null', `'null'`],
  ['~', `'~'`],
  ['', `''`],
  ['-', `'-'`],
  ['--', '--'],
  ['---x', `'---x'`],
  ['=', `'='`],
  ['2026-01-01T00:00:00+00:00', `'2026-01-01T00:00:00+00:00'`],
  ['2026-01-01', `'2026-01-01'`],
  ['v1.27.3', 'v1.27.3'],
  ['http://10.0.0.1:6443', 'http://10.0.0.1:6443'],
  ['a: b', `'a: b'`],
  ['a #b', `'a #b'`],
  ['a#b', 'a#b'],
  ['*x', `'*x'`],
  [' x', `' x'`],
  ['x ', `'x '`],
  [`it's`, `it's`],
  [`'quoted'`, `'''quoted'''`],
  ['tab\there', '"tab\\there"'],
  ['\x1b[0m', '"\\e[0m"'],
  ['\u2028😀\u00a0', '"\\L\\U0001F600\\_"'],
  ['a\n b', '"a\\n b"'],
  ['a \nb', '"a \\nb"'],
  ['end\n', `'end\n\n  '`],
])('%j is written %j', (value, expected) => {
  expect(yamlText({ k: value })).toBe(`k: ${expected}\n`)
})

test('long text is folded after eighty columns and reads back as it was', () => {
  expect(yamlText({ text: 'word '.repeat(20).trim() })).toBe(text`
text: word word word word word word word word word word word word word word word word
  word word word word
`)
  const values = ['wo: '.repeat(40), `é ${'w '.repeat(60)}`, `l1\nl2\n\n${'x '.repeat(60)}\n`, `"${'\\'.repeat(90)} a`]
  for (const value of values) {
    expect(
      Math.max(
        ...yamlText({ value })
          .split('\n')
          .map(line => line.length),
      ),
    ).toBeLessThan(100)
    expect(parse(yamlText({ value }), { version: '1.1' })).toEqual({ value })
  }
})

test('keys that a colon cannot follow are marked', () => {
  expect(yamlText([{ '': 1, 'a\nb': [1, { c: [] }], d: { e: {} } }])).toBe(text`
- ? ''
  : 1
  ? 'a

    b'
  : - 1
    - c: []
  d:
    e: {}
`)
})

test('numbers have the point that YAML requires', () => {
  expect(yamlText([1e-7, 1.5, -3, [[1], 2]])).toBe('- 1.0e-07\n- 1.5\n- -3\n- - - 1\n  - 2\n')
})
