import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { list, one, piped, text } from './sample.ts'

test('csv quotes what is not a number, or as asked', async () => {
  expect(await piped(list, { format: 'csv' })).toBe(text`
"uuid","name","node_count","labels","ready","status"
"b3c5a4d2-1111","c1",3,"{'a': 'b', ""it's"": 'x""y'}",True,"CREATE_COMPLETE"
"c7","日本 é",12,"[]","","DELETE_FAILED"
"d,""q""","two
lines","","['1', 2, {'x': None}]",False,""
`)
  expect(await piped(list, { format: 'csv', quote: 'all', columns: ['node_count', 'ready'] })).toBe(text`
"node_count","ready"
"3","True"
"12",""
"","False"
`)
  expect(await piped(list, { format: 'csv', quote: 'minimal' })).toBe(text`
uuid,name,node_count,labels,ready,status
b3c5a4d2-1111,c1,3,"{'a': 'b', ""it's"": 'x""y'}",True,CREATE_COMPLETE
c7,日本 é,12,[],,DELETE_FAILED
"d,""q""","two
lines",,"['1', 2, {'x': None}]",False,
`)
  expect(await piped(list, { format: 'csv', quote: 'none' })).toBe(text`
uuid,name,node_count,labels,ready,status
b3c5a4d2-1111,c1,3,{'a': 'b'\, \"it's\": 'x\"y'},True,CREATE_COMPLETE
c7,日本 é,12,[],,DELETE_FAILED
d\,\"q\",two\
lines,,['1'\, 2\, {'x': None}],False,
`)
})

// difference: csv-lone-empty
test('csv doubles backslashes, and a lone empty field is not an empty line', async () => {
  const rows = [['a\\b'], [null]]
  expect(await piped({ kind: 'list', columns: ['x'], rows }, { format: 'csv', quote: 'minimal' })).toBe(
    'x\na\\\\b\n""\n',
  )
})

test('value is bare, with one line per row or field', async () => {
  expect(await piped(list, { format: 'value' })).toBe(
    `b3c5a4d2-1111 c1 3 {'a': 'b', "it's": 'x"y'} True CREATE_COMPLETE\n` +
      `c7 日本 é 12 [] None DELETE_FAILED\nd,"q" two\nlines None ['1', 2, {'x': None}] False \n`,
  )
  expect(await piped(one, { format: 'value', columns: ['node_count', 'name'] })).toBe('c1\n2\n')
})

test('shell names are valid variable names', async () => {
  expect(await piped(one, { format: 'shell', prefix: 'x_' })).toBe(
    `x_name="c1"\nx_status_reason="None"\n` +
      `x_labels="{'master_lb_enabled': 'True', 'é': \\"a'b\\"}"\nx_node_addresses="['10.0.0.4', '10.0.0.5']"\n` +
      `x_node_count="2"\nx_has_colon_dash="say \\"hi\\""\nx_text="one\r\ntwo"\n`,
  )
  expect(await piped(one, { format: 'shell', variables: ['name'] })).toBe('name="c1"\n')
})

// difference: shell-escapes
test('a shell that evaluates the output gets the value and runs nothing', async () => {
  const value = 'a"b $(echo ran) `echo ran` $HOME \\ \\n {"k": "v"}'
  const script = await piped({ kind: 'show', columns: ['name'], values: [value] }, { format: 'shell' })
  expect(execFileSync('sh', ['-c', `${script}printf %s "$name"`], { encoding: 'utf8' })).toBe(value)
})

test('json is ASCII, in the order of the columns, indented or on one line', async () => {
  expect(await piped({ ...list, rows: list.rows.slice(1, 2) }, { format: 'json' })).toBe(text`
[
  {
    "uuid": "c7",
    "name": "\u65e5\u672c \u00e9",
    "node_count": 12,
    "labels": [],
    "ready": null,
    "status": "DELETE_FAILED"
  }
]
`)
  expect(await piped(one, { format: 'json', noindent: true })).toBe(
    '{"name": "c1", "status_reason": null, "labels": {"master_lb_enabled": "True", "\\u00e9": "a\'b"}, ' +
      '"node_addresses": ["10.0.0.4", "10.0.0.5"], "node_count": 2, "has:colon-dash": "say \\"hi\\"", "text": "one\\r\\ntwo"}\n',
  )
  expect(await piped({ kind: 'list', columns: ['a'], rows: [] }, { format: 'json' })).toBe('[]\n')
})

test('json spells numbers and odd characters as Python does', async () => {
  const values = [1e-7, 1.5, 1e22, '😀\x7f\b', {}, { 2: [] }]
  expect(
    await piped({ kind: 'list', columns: ['v'], rows: values.map(v => [v]) }, { format: 'json', noindent: true }),
  ).toBe(
    '[{"v": 1e-07}, {"v": 1.5}, {"v": 10000000000000000000000}, {"v": "\\ud83d\\ude00\\u007f\\b"}, {"v": {}}, {"v": {"2": []}}]\n',
  )
})

test('json has the raw values where text shows a summary', async () => {
  const table = { ...list, columns: ['name', 'members'], rows: [['f', '-']], jsonRows: [['f', null]] }
  expect(await piped(table, { format: 'value' })).toBe('f -\n')
  expect(await piped(table, { format: 'json', noindent: true })).toBe('[{"name": "f", "members": null}]\n')
  const show = { kind: 'show' as const, columns: ['a', 'b'], values: ['-', 1], jsonValues: [null, 1] }
  expect(await piped(show, { format: 'json', noindent: true, columns: ['a'] })).toBe('{"a": null}\n')
})

test('name is one handle per line: the name, else the uuid, else the first column', async () => {
  const rows = [
    ['u1', 'c1'],
    ['u2', null],
  ]
  expect(await piped({ kind: 'list', columns: ['uuid', 'name'], rows }, { format: 'name' })).toBe('c1\nu2\n')
  expect(await piped(one, { format: 'name' })).toBe('c1\n')
  const outcomes = [
    ['c2', null, 'failed'],
    ['c3', 'u3', 'deleted'],
  ]
  const columns = ['cluster', 'uuid', 'result']
  expect(await piped({ kind: 'list', columns, rows: outcomes }, { format: 'name' })).toBe('c2\nu3\n')
  expect(await piped({ kind: 'show', columns: ['x'], values: [1] }, { format: 'name' })).toBe('1\n')
})

test('a list cannot be printed as shell, nor an object as csv', async () => {
  await expect(piped(list, { format: 'shell' })).rejects.toThrow('a list cannot be printed as shell')
  await expect(piped(one, { format: 'csv' })).rejects.toThrow('a single object cannot be printed as csv')
})
