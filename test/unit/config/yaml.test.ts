import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { getuid } from 'node:process'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readPlainYaml } from '../../../src/config/yaml/plain-yaml.ts'
import { parseYaml, readYamlFile } from '../../../src/config/yaml/yaml-file.ts'
import { parseYamlInput, readYamlInput } from '../../../src/config/yaml/yaml-input.ts'
import { failureOf, makePlace } from './place.ts'

const read = (text: string) => parseYaml(text, '/x/clouds.yaml', 'cloud configuration')

describe('the plain reader', () => {
  const plain: Record<string, string> = {
    nested: 'clouds:\n  a:\n    auth:\n      username: u\n      password: p\n    region_name: R\n  b:\n',
    comments: '# top\n---\na: 1 # one\n\n  # deep\nb: x#y\nc: # nothing\n  d: e\n',
    quotes: 'a: "x: y"\nb: \'it\'\'s\'\nc: "it\'\'s"\nd: "# no comment" # comment\n',
    words: 'a: true\nb: False\nc: ~\nd: null\ne: yes\nf: NULL\ng: -\n'.replace('g: -\n', 'g: -x\n'),
    numbers: 'a: 0123\nb: 1.0\nc: 0x1f\nd: 1e5\ne: 12345678901234567890\n',
    urls: 'a: http://h:5000/v3\nb: a:b\nc: 10.0.0.1:6443\n',
    lists: 'l:\n- a\n- "b"\nm:\n  - name: x\n    value: 1\n  - name: y\n    nested:\n    - p\n    - q\n',
    kubeconfig:
      'apiVersion: v1\nclusters:\n- cluster:\n    server: https://h\n  name: c\ncontexts: []\npreferences: {}\nusers:\n- name: u\n  user:\n    exec:\n      args:\n      - --flag\n      - get-token\n      command: x\n      env: null\n',
    crlf: 'a: 1\r\nb:\r\n  c: 2\r\n',
    empty: '# nothing\n',
    unicode: 'name: Zürich – 東京\n',
    'no-break spaces': 'a: p\u00a0\nb: \u00a0\nc: \u00a0p \nl:\n- \u00a0x\n',
    'other spaces': 'a: p\u3000\nb: \u2003p\u2003\n',
  }
  it.each(Object.entries(plain))('reads %s as the library does', (_, text) => {
    const mine = readPlainYaml(text)
    expect(mine).toBeDefined()
    const customTags = (tags: (string | { tag: string })[]) =>
      tags.filter(t => typeof t === 'string' || !/:(?:int|float)$/.test(t.tag))
    expect(mine?.data).toEqual(parse(text, { customTags: customTags as never }))
  })

  it.each([
    'a: &x 1\nb: *x\n',
    'a: {b: c}\n',
    'a: [1, 2]\n',
    'a: |\n  text\n',
    'a: >-\n  text\n',
    'a: "x\\n"\n',
    'a: first\n  second\n',
    'a: 1\na: 2\n',
    'a: 1\n---\nb: 2\n',
    'a:\n\tb: 1\n',
    'a: b: c\n',
    'a: "open\n',
    '"a": 1\n',
    '? a\n: b\n',
    'a: !tag x\n',
    '<<: x\n',
    'a:\n    b: 1\n  c: 2\n',
    'a: @x\n',
    '- - a\n',
    '__proto__: 1\n',
    '{"a": 1}\n',
    'just text\n',
    '\ufeffa: 1\n',
  ])('leaves %j to the library', text => {
    expect(readPlainYaml(text)).toBeUndefined()
  })
})

describe('reading YAML', () => {
  it('merges anchors, and keeps digits as written', async () => {
    const { data } = await read('base: &b {user: u, pin: 0123}\ncloud:\n  <<: *b\n  user: v\n')
    expect(data.cloud).toEqual({ user: 'v', pin: '0123' })
  })

  it.each(['clouds:\n  a:\n    x: 1\nlist:\n- k: v\n', 'clouds: {}\nlist: [{k: v}]\n'])(
    'knows the lines of %j',
    async text => {
      const file = await read(text)
      expect(file.lineOf(['clouds'])).toBe(1)
      expect(file.lineOf(['list', 0])).toBe(text.split('\n').findIndex(l => l.includes('k: v')) + 1)
      expect(file.lineOf(['nothing'])).toBeUndefined()
    },
  )

  /** A generated file: every cloud merges one anchor with the common settings. */
  const generated = (count: number) =>
    [
      'defaults: &defaults {auth_url: http://a, username: u}',
      'clouds:',
      ...Array.from({ length: count }, (_, i) => `  c${i}:\n    auth:\n      <<: *defaults\n      project_name: p${i}`),
    ].join('\n')

  it.each([101, 2000])('follows an anchor that %d aliases name', async count => {
    const { data } = await read(generated(count))
    expect((data.clouds as Record<string, unknown>)[`c${count - 1}`]).toEqual({
      auth: { auth_url: 'http://a', username: 'u', project_name: `p${count - 1}` },
    })
  })

  /** Each line refers to the one above it ten times. */
  const lines = (count: number, first: string, line: (above: string) => string) =>
    [first, ...Array.from({ length: count }, (_, i) => `a${i + 1}: &a${i + 1} ${line(`*a${i}`)}`)].join('\n')

  it.each([
    ['lists', lines(9, 'a0: &a0 x', above => `[${Array(10).fill(above).join(', ')}]`), 10],
    ['merges', lines(40, 'a0: &a0 {k: v}', above => `{<<: [${above}, ${above}]}`), 41],
  ])('refuses %s for what they would grow to', async (_, text, line) => {
    const error = await failureOf(read(text))
    expect(error.outcome).toBe('usage')
    expect(error.message).toMatch(
      /this file would grow to (?:[\d,]+|more than a trillion) values, more than the limit of 1,000,000/,
    )
    expect(error.message).not.toContain('does not exist')
    expect(error.details.line).toBe(line)
    expect((await failureOf(parseYamlInput(text, 'members.yaml', 'list of members'))).message).toContain(
      'would grow to',
    )
  })

  it.each([
    ['a circle', 'a: &a\n  b: *a\n', 2, /inside the value that it refers to/],
    ['an anchor that comes later', 'a: *b\nb: &b 1\n', 1, /no anchor of its name above it/],
    ['a merge of text', 'a: &a x\nb:\n  <<: *a\n', 3, /"<<" must merge a mapping/],
    ['a merge of a list of text', 'a: 1\nb:\n  <<: [x]\n', 3, /"<<" must merge a mapping/],
  ])('names %s for what it is', async (_, text, line, reason) => {
    const error = await failureOf(read(text))
    expect(error.message).toMatch(reason)
    expect(error.details.line).toBe(line)
  })

  it.each([
    ['plain', 'clouds:\r  a:\r    password: p\u00a0\r  b: # one\r    - x\r'],
    ['not plain', 'clouds:\r  a: {password: "p\u00a0"}\r  b: [x]\r'],
  ])('takes a lone carriage return for the end of a line: %s', async (_, text) => {
    const file = await read(text)
    expect(file.data).toEqual({ clouds: { a: { password: 'p\u00a0' }, b: ['x'] } })
    expect(file.lineOf(['clouds', 'a'])).toBe(2)
    expect((await parseYamlInput(text, 'x', 'list')).data).toEqual(file.data)
    const error = await failureOf(read(`${text}  c: @x\r  d: y\r`))
    expect(error.details.line).toBe(text.split('\r').length)
    expect(error.message).toMatch(/^ +\d+ \| {3}c: @x$/m)
  })

  it.each(['kubeconfig', 'list of members'])('refuses invalid UTF-8: a %s', async what => {
    const place = await makePlace()
    const path = await place.file('x.yaml', '')
    await writeFile(path, Buffer.from('a: 1\nname: Z\xfcrich\n', 'latin1'))
    const read = what === 'kubeconfig' ? readYamlFile(path, what) : readYamlInput(path, what)
    const error = await failureOf(read)
    expect(error.outcome).toBe('usage')
    expect(error.message).toBe(
      `cannot read the ${what} ${path}, line 2, byte 8: 0xFC does not belong to any character in UTF-8`,
    )
  })

  it('shows the position of a mistake', async () => {
    const error = await failureOf(read('clouds:\n  a:\n    region_name: x\n    region_name: y\n'))
    expect(error.outcome).toBe('usage')
    expect(error.message).toBe(
      [
        'cannot read the cloud configuration /x/clouds.yaml, line 4, column 5: the key "region_name" appears twice',
        '  4 |     region_name: y',
        '    |     ^',
      ].join('\n'),
    )
  })

  it.each([
    ['a tab', 'clouds:\n\ta: 1\n', 2, /tab/],
    ['an open quote', 'a: "x\nb: y\n', 1, /quote/],
    ['an open bracket', 'a: {b: 1\n', 1, /bracket/],
    ['a second document', 'a: 1\n---\nb: 2\n', 2, /second document/],
    ['an alias to nothing', 'a: 1\nb: *no\n', 2, /alias/],
    ['wrong indentation', 'a:\n    b: 1\n  c: 2\n', 3, /indented/],
    ['a missing colon', 'a:\n  b 1\n  c: 2\n', 2, /":" is missing/],
  ])('names %s', async (_, text, line, reason) => {
    const error = await failureOf(read(text))
    expect(error.message).toMatch(reason)
    expect(error.details.line).toBe(line)
  })

  it.each([
    'password: hunter2\npassword: hunter2\n',
    'auth:\n  password hunter2\n  user: x\n',
    'auth:\n  password: "hunter2\n  user: x\n',
    'password: @hunter2\n',
    'password: *hunter2\n',
    'a: {username: u, password: hunter2,, x}\n',
    '{"auth": {"password": "hunter2",,}}',
    'client-key-data: |\n  AAAA\n hunter2\n',
    'OS_TOKEN: "hunter2\\q"\n',
    'proxy-url: http://u:hunter2@h\nproxy-url: http://u:hunter2@h\n',
  ])('keeps the secret of %j to itself', async text => {
    const error = await failureOf(read(text))
    expect(`${error.message} ${error.hint} ${JSON.stringify(error.details)}`).not.toContain('hunter2')
  })

  it('requires keys and values', async () => {
    expect((await failureOf(read('- a\n'))).hint).toContain('a list on line 1')
    expect((await failureOf(read('# c\nhello\n'))).hint).toContain('plain text on line 2')
    expect((await read('')).data).toEqual({})
  })

  it('says why a file cannot be read', async () => {
    const place = await makePlace()
    await mkdir(`${place.home}/folder.yaml`)
    expect((await failureOf(readYamlFile(`${place.home}/folder.yaml`, 'kubeconfig'))).message).toMatch(/is a folder/)
    const missing = await failureOf(readYamlFile(`${place.home}/none.yaml`, 'kubeconfig'))
    expect(missing.outcome).toBe('notFound')
    expect(missing.message).toBe(`there is no kubeconfig at ${place.home}/none.yaml`)
  })

  it.skipIf(getuid?.() === 0)('says when it may not read a file', async () => {
    const place = await makePlace()
    const path = await place.file('locked.yaml', 'a: 1\n')
    await chmod(path, 0)
    expect((await failureOf(readYamlFile(path, 'kubeconfig'))).message).toBe(`you may not read the kubeconfig ${path}`)
  })
})
