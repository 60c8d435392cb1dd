import { expect, test } from 'vitest'
import { propertyTable } from '../../../src/io/formats/bare-table.ts'
import { type FormatOptions, type ListTable, render } from '../../../src/io/formats/format.ts'
import { defaultFormatOptions, list, one, piped, text } from './sample.ts'

const onTerminal = (table: ListTable, columns: number, colour = false, options: Partial<FormatOptions> = {}) =>
  render(table, { ...defaultFormatOptions, ...options }, { isTTY: true, columns, colour })

test('a list has the layout of the openstack client', async () => {
  expect(await piped(list)).toBe(text`
+---------------+--------+------------+---------------------------+-------+-----------------+
| uuid          | name   | node_count | labels                    | ready | status          |
+---------------+--------+------------+---------------------------+-------+-----------------+
| b3c5a4d2-1111 | c1     |          3 | {'a': 'b', "it's": 'x"y'} | True  | CREATE_COMPLETE |
| c7            | 日本 é |         12 | []                        | None  | DELETE_FAILED   |
| d,"q"         | two    |       None | ['1', 2, {'x': None}]     | False |                 |
|               | lines  |            |                           |       |                 |
+---------------+--------+------------+---------------------------+-------+-----------------+
`)
})

test('one object is a table of fields and values, also under other titles', async () => {
  expect(await piped(one)).toBe(text`
+----------------+-------------------------------------------+
| Field          | Value                                     |
+----------------+-------------------------------------------+
| name           | c1                                        |
| status_reason  | None                                      |
| labels         | {'master_lb_enabled': 'True', 'é': "a'b"} |
| node_addresses | ['10.0.0.4', '10.0.0.5']                  |
| node_count     | 2                                         |
| has:colon-dash | say "hi"                                  |
| text           | one                                       |
|                | two                                       |
+----------------+-------------------------------------------+
`)
  expect(await piped({ kind: 'show', columns: ['a'], values: [1], header: ['Property', 'Value'] })).toBe(text`
+----------+-------+
| Property | Value |
+----------+-------+
| a        | 1     |
+----------+-------+
`)
})

test('the first row decides which columns are aligned right', async () => {
  const rows = [
    [null, 1],
    [2, null],
  ]
  expect(await piped({ kind: 'list', columns: ['none first', 'number first'], rows })).toBe(text`
+------------+--------------+
| none first | number first |
+------------+--------------+
| None       |            1 |
| 2          |         None |
+------------+--------------+
`)
})

test('a list without rows prints an empty line, or only the borders on request', async () => {
  const none: ListTable = { kind: 'list', columns: ['uuid', 'name'], rows: [] }
  expect(await piped(none)).toBe('\n')
  expect(await piped(none, { printEmpty: true })).toBe(text`
+------+------+
| uuid | name |
+------+------+
+------+------+
`)
})

test('--max-width wraps the wide columns, in pipes too', async () => {
  expect(await piped(list, { maxWidth: 60 })).toBe(text`
+----------+--------+------------+----------+-------+-----------+
| uuid     | name   | node_count | labels   | ready | status    |
+----------+--------+------------+----------+-------+-----------+
| b3c5a4d2 | c1     |          3 | {'a':    | True  | CREATE_CO |
| -1111    |        |            | 'b',     |       | MPLETE    |
|          |        |            | "it's":  |       |           |
|          |        |            | 'x"y'}   |       |           |
| c7       | 日本 é |         12 | []       | None  | DELETE_FA |
|          |        |            |          |       | ILED      |
| d,"q"    | two    |       None | ['1', 2, | False |           |
|          | lines  |            | {'x':    |       |           |
|          |        |            | None}]   |       |           |
+----------+--------+------------+----------+-------+-----------+
`)
  expect(await piped(one, { maxWidth: 50 })).toContain(text`
| labels         | {'master_lb_enabled': 'True', |
|                | 'é': "a'b"}                   |
`)
})

// difference: fit-on-terminal
test('a terminal gets a table that fits it; a pipe and wide do not', async () => {
  const widest = (shown: string) => Math.max(...shown.split('\n').map(line => line.length))
  const fits: ListTable = { kind: 'list', columns: ['name', 'text'], rows: [['c1', 'word '.repeat(40)]] }
  expect(widest(await onTerminal(fits, 70))).toBeLessThanOrEqual(70)
  expect(widest(await onTerminal(fits, 70, false, { format: 'wide' }))).toBeGreaterThan(200)
  expect(widest(await piped(fits))).toBeGreaterThan(200)
  expect(widest(await piped(fits, { fitWidth: true }))).toBeGreaterThan(200)
})

test('a terminal of 80 columns shows identifiers and names of clusters in full, and narrows the other columns', async () => {
  const columns = ['uuid', 'name', 'keypair', 'node_count', 'master_count', 'status', 'health_status']
  const uuid = '1c996ea9-48ff-4e09-9d6d-f77babdaddd5'
  const clusters: ListTable = {
    kind: 'list',
    columns,
    rows: [[uuid, 'c1', 'testkey', 2, 1, 'UPDATE_COMPLETE', 'UNHEALTHY']],
  }
  expect(await onTerminal(clusters, 80)).toBe(text`
+--------------------------------------+------+-----+-----+------+------+------+
| uuid                                 | name | key | nod | mast | stat | heal |
|                                      |      | pai |  e_ |  er_ | us   | th_  |
|                                      |      | r   | cou | coun |      | stat |
|                                      |      |     |  nt |    t |      | us   |
+--------------------------------------+------+-----+-----+------+------+------+
| 1c996ea9-48ff-4e09-9d6d-f77babdaddd5 | c1   | tes |   2 |    1 | UPDA | UNHE |
|                                      |      | tke |     |      | TE_  | ALTH |
|                                      |      | y   |     |      | COMP | Y    |
|                                      |      |     |     |      | LETE |      |
+--------------------------------------+------+-----+-----+------+------+------+
`)
  const painted = await onTerminal(clusters, 80, true)
  expect(painted).toContain('| \x1b[32mUPDA\x1b[39m ')
  expect(painted).toContain('| \x1b[32mCOMP\x1b[39m ')
})

test('a terminal too narrow for complete words gets broken words rather than broken lines', async () => {
  const columns = ['uuid', 'name', 'keypair', 'node_count', 'master_count', 'status', 'health_status']
  const row = ['b3c5a4d2-1111-2222-3333-444455556666', 'prod', 'key', 1, 1, 'CREATE_COMPLETE', 'UNHEALTHY']
  for (const width of [60, 66, 72]) {
    const lines = (await onTerminal({ kind: 'list', columns, rows: [row] }, width)).trimEnd().split('\n')
    expect(lines.filter(line => line.length > width)).toEqual([])
    expect(lines.length).toBeGreaterThan(4)
  }
})

test('a terminal cuts words without a joint, and breaks between words where it can', async () => {
  const rows = [['a'.repeat(40), 'reach the server at http://keystone.example.com:5000/v3 first']]
  const shown = await onTerminal({ kind: 'list', columns: ['id', 'detail'], rows }, 44)
  expect(shown).toBe(text`
+-----------------------+------------------+
| id                    | detail           |
+-----------------------+------------------+
| aaaaaaaaaaaaaaaaaaaaa | reach the server |
| aaaaaaaaaaaaaaaaaaa   | at http://       |
|                       | keystone.        |
|                       | example.com:     |
|                       | 5000/v3 first    |
+-----------------------+------------------+
`)
})

// difference: wide-letters-wrap
test('wide letters are wrapped by the columns that they take', async () => {
  const rows = [['東京大阪名古屋札幌福岡仙台']]
  expect(await piped({ kind: 'list', columns: ['name'], rows }, { maxWidth: 16 })).toBe(text`
+--------------+
| name         |
+--------------+
| 東京大阪名古 |
| 屋札幌福岡仙 |
| 台           |
+--------------+
`)
})

// difference: coloured-status
test('statuses are coloured on a colour terminal, and nothing else is', async () => {
  const table: ListTable = { kind: 'list', columns: ['name', 'status'], rows: [['CREATE_FAILED', 'CREATE_FAILED']] }
  expect(await onTerminal(table, 80, true)).toContain('| CREATE_FAILED | \x1b[31mCREATE_FAILED\x1b[39m |')
  expect(await onTerminal(table, 80, false)).not.toContain('\x1b')
})

// difference: carriage-returns
test('a carriage return does not write over the line', async () => {
  const rows = [['a\rb\r\nc']]
  expect(await piped({ kind: 'list', columns: ['name'], rows })).toContain('| a b  |\n| c    |')
  expect(await onTerminal({ kind: 'list', columns: ['name'], rows }, 80)).toContain('| a\\rb |')
  const sink = { isTTY: false, columns: undefined, write() {} }
  expect(propertyTable({ project_id: 'a\rb' }, sink)).toContain('| project_id | a b   |')
})

// difference: terminal-safe
test('a name cannot move the cursor of a terminal, nor break the table there', async () => {
  const table: ListTable = { kind: 'list', columns: ['name'], rows: [['a\x1b[2Jb\tc\u202ed']] }
  expect(await onTerminal(table, 80)).toContain('| a\\x1b[2Jb c\\u202ed |')
})

test('thousands of rows are laid out fast', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => [`uuid-${i}`, `cluster ${i}`, i, 'CREATE_COMPLETE'])
  const shown = await piped({ kind: 'list', columns: ['uuid', 'name', 'node_count', 'status'], rows })
  expect(shown.split('\n')).toHaveLength(5005)
})
