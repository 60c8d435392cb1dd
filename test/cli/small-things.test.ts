/** Small things that people run into: names, labels, help in a pipe, narrow terminals, words of other clients. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registry } from '../../src/wiring/registry.ts'
import { startCloud, type TestCloud } from '../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
})
afterAll(() => cloud.close())

describe('labels without a name', () => {
  it.each(['--labels =x', '--labels a=b,=x', '--label =x'])('%s is refused', async option => {
    const { code, err } = await cloud.run(`cluster create c --cluster-template k8s ${option}`)
    expect([code, err]).toEqual([2, expect.stringContaining('is not of the form KEY=VALUE')])
  })
})

describe('names that Magnum does not take are refused before anything is asked', () => {
  it.each([
    ['cluster create 1st --cluster-template k8s', 'begin with a letter'],
    ["cluster create 'a b' --cluster-template k8s", 'letters, digits'],
    ['cluster create größe --cluster-template k8s', 'letters, digits'],
    ["cluster create '' --cluster-template k8s", 'it is empty'],
    [`cluster create ${'a'.repeat(243)} --cluster-template k8s`, 'longer than 242 characters'],
    ['federation create 1st --host cluster1', 'begin with a letter'],
    [`federation create ${'a'.repeat(243)} --host cluster1`, 'at most 242'],
    ["cluster template create '' --coe kubernetes --image i --external-network n", 'is empty'],
    [`cluster template create ${'a'.repeat(256)} --coe kubernetes --image i --external-network n`, 'longer than 255'],
    [`nodegroup create cluster1 ${'a'.repeat(256)}`, 'longer than 255'],
    ["nodegroup create cluster1 ''", 'is empty'],
  ])('%s', async (line, says) => {
    cloud.sandbox.log.clear()
    const { code, err } = await cloud.run(line)
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
    expect(err).toContain('is not a valid name')
    expect(cloud.sandbox.log.all().filter(e => e.url.startsWith('/v1/'))).toEqual([])
  })

  it('the longest that it takes are taken', async () => {
    const name = `a${'-._9'.repeat(60)}z`
    expect(name).toHaveLength(242)
    expect((await cloud.run(`cluster create ${name} --cluster-template k8s`)).code).toBe(0)
    expect((await cloud.run(`cluster delete ${name} --wait`)).code).toBe(0)
  })
})

describe('help in a pipe', () => {
  it('has lines of at most 80 columns, examples and what cannot be broken apart', async () => {
    const lines: string[] = []
    for (const { words } of registry.entries) lines.push(...(await cloud.run(`${words} --help`)).out.split('\n'))
    for (const line of ['--help', 'help options', 'cluster --help']) {
      lines.push(...(await cloud.run(line)).out.split('\n'))
    }
    const long = lines.filter(l => l.length > 80 && !/^ {2}(coe|eval|kubectl|for|export) /.test(l))
    expect(long.filter(l => l.trim().split(' ').length > 1 && !/^ {2}\S/.test(l))).toEqual([])
    expect(lines.length).toBeGreaterThan(500)
  })

  it('is as wide as COLUMNS says', async () => {
    const wide = await cloud.run('cluster create --help', { columns: 120 })
    expect(Math.max(...wide.out.split('\n').map(l => l.length))).toBeGreaterThan(80)
  })
})

describe('a terminal of 80 columns', () => {
  it('shows identifiers and names of clusters whole; the other columns are narrowed', async () => {
    const { out } = await cloud.run('cluster list', { tty: true, columns: 80, env: { NO_COLOR: '1' } })
    const lines = out.split('\n')
    for (const name of ['cluster1', 'cluster2']) {
      expect(lines.find(l => l.includes(` ${name} `))).toMatch(/^\| [\da-f]{8}-[\da-f-]{27} \| cluster\d \|/)
    }
    expect(Math.max(...lines.map(l => l.length))).toBeLessThanOrEqual(80)
  })

  it('that is narrower breaks them at their joints as well, and no line is too long', async () => {
    const { out } = await cloud.run('cluster list', { tty: true, columns: 60, env: { NO_COLOR: '1' } })
    expect(Math.max(...out.split('\n').map(l => l.length))).toBeLessThanOrEqual(60)
    expect(out).toContain('| clust')
  })
})

describe('words of other clients', () => {
  it.each([
    ['cluster-template list', '"cluster template list"'],
    ['cluster-template-list', '"cluster template list"'],
    ['cluster-list', '"cluster list"'],
    ['server list', '"service list"'],
    ['cluster-template', '"cluster template"'],
  ])('coe %s', async (line, meant) => {
    const { code, err } = await cloud.run(line)
    expect([code, err]).toEqual([2, expect.stringMatching(`did you mean .*${meant}`)])
  })
})

describe('a file of authorities', () => {
  const trusting = async (text: string) => {
    const file = join(cloud.home, 'own-ca.pem')
    await writeFile(file, text)
    return { file, ...(await cloud.run(`cluster list --os-cacert ${file}`)) }
  }
  const good = () => cloud.sandbox.caPem as string

  it('that is empty, or holds no certificate, is named', async () => {
    for (const [text, says] of [
      ['', 'is empty'],
      [' \n', 'is empty'],
      ['hello\n', 'holds no certificate'],
    ] as const) {
      const { code, err, file } = await trusting(text)
      expect([code, err]).toEqual([1, expect.stringContaining(`coe: the CA file ${file} ${says}`)])
    }
  })

  it('that is damaged is named', async () => {
    for (const text of [
      good().slice(0, 200),
      // where its structure begins: damage within a key is still a certificate
      good().replace(/(-----\n).{40}/, `$1${'x'.repeat(40)}`),
      `${good()}${good().slice(0, 99)}`,
    ]) {
      const { code, err, file } = await trusting(text)
      expect([code, err]).toEqual([1, expect.stringContaining(`coe: the CA file ${file} is broken`)])
    }
  })

  it('that is good is taken', async () => {
    expect((await trusting(`# ours\n${good()}`)).code).toBe(0)
  })
})

it('NODE_TLS_REJECT_UNAUTHORIZED=0 turns nothing off, and that is said once', async () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const { code, err } = await cloud.run('cluster list', { env })
  expect(code).toBe(0)
  expect(err.match(/NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: certificates are verified/g)).toHaveLength(1)
  const untrusted = await cloud.run('cluster list', { env: { ...env, OS_CACERT: undefined } })
  expect(untrusted.code).toBe(1)
})

it('--use-keystone from an openrc says that it works where its variables are', async () => {
  const { code, err } = await cloud.run('cluster config cluster1 --use-keystone --stdout')
  expect([code, err]).toEqual([0, expect.stringContaining('this works only in shells where OS_USERNAME is set')])
})
