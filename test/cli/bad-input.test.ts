/** Files, names and surroundings that are not as they should be. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import { runCoe } from '../support/run.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
})
afterAll(() => cloud.close())

/** Runs with a clouds.yaml of this text, and no OS_* variable but the name of the cloud. */
async function withClouds(text: string, line: string, name = 'mine') {
  const file = join(cloud.home, `clouds-${Math.abs(hash(text))}.yaml`)
  await writeFile(file, text)
  const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: name }
  return { file, ...(await runCoe(line, { env, home: cloud.home, cwd: cloud.home, secrets: ['hunter2-password'] })) }
}
const hash = (text: string): number => [...text].reduce((h, c) => (h * 31 + c.charCodeAt(0)) | 0, 7)

describe('clouds.yaml', () => {
  it('that is broken: file, line, column, and a caret under the place', async () => {
    const { file, code, err } = await withClouds(
      'clouds:\n  mine:\n    auth: {auth_url: "http://k/v3\n',
      'cluster list',
    )
    expect(code).toBe(2)
    expect(err).toContain(file)
    expect(err).toMatch(/:\d+:\d+|line \d+, column \d+/)
    expect(err).toMatch(/^ +\| +\^$/m)
    expect(err).not.toMatch(/\bat .*\.ts:/)
  })

  it('with one anchor for more than a hundred clouds works, and a bomb is refused as one', async () => {
    const { OS_AUTH_URL, OS_USERNAME, OS_PASSWORD, OS_CACERT } = cloud.env
    const shared = `x: &login {auth_url: "${OS_AUTH_URL}", username: "${OS_USERNAME}", password: "${OS_PASSWORD}", user_domain_id: default, project_domain_id: default}`
    const clouds = Array.from(
      { length: 150 },
      (_, i) => `  c${i}: {cacert: "${OS_CACERT}", auth: {<<: *login, project_name: demo}}`,
    )
    const good = await withClouds(`${shared}\nclouds:\n${clouds.join('\n')}\n`, 'cluster list -f value -c name', 'c149')
    expect(good).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n' })

    const rows = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)
    const bomb = await withClouds(`a0: &a0 x\n${rows.join('\n')}\nclouds: {mine: *a9}\n`, 'cluster list')
    expect(bomb.code).toBe(2)
    expect(bomb.err).toContain('this file would grow to')
  })

  it('that is broken beside a password does not show it', async () => {
    const { code, err } = await withClouds(
      'clouds:\n  mine:\n    auth:\n      password: hunter2-password: x\n',
      'cluster list',
    )
    expect(code).toBe(2)
    expect(err).not.toContain('hunter2')
  })

  it('in Latin-1 is refused before a byte of it is sent', async () => {
    const file = join(cloud.home, 'latin1.yaml')
    const text = `clouds:\n  mine:\n    auth:\n      auth_url: ${cloud.env.OS_AUTH_URL}\n      username: J\xfcrgen\n`
    await writeFile(file, Buffer.from(text, 'latin1'))
    const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: 'mine' }
    const { code, err } = await runCoe('cluster list --trace', { env, home: cloud.home, cwd: cloud.home })
    expect(code).toBe(2)
    expect(err).toContain(`${file}, line 5, byte 18: 0xFC does not belong to any character in UTF-8`)
    expect(err).not.toContain('→')
  })

  it('is not the only place: variables, options and arguments are refused, too', async () => {
    // Node hands over what it cannot read as U+FFFD
    const variable = await cloud.run('cluster list', { env: { OS_PASSWORD: 'caf\ufffd' } })
    expect(variable.code).toBe(2)
    expect(variable.err).toContain('the value of OS_PASSWORD is not UTF-8')
    const piped = await cloud.run('cluster list --password-stdin', { input: Buffer.from('caf\xe9', 'latin1') })
    expect(piped.code).toBe(2)
    expect(piped.err).toContain('cannot read standard input, line 1, byte 4: 0xE9 does not belong')
    for (const line of ['cluster list --os-username J\ufffdrgen', 'cluster show J\ufffdrgen']) {
      const { code, err } = await cloud.run(line)
      expect(code).toBe(2)
      expect(err).toMatch(/(--os-username|<cluster>): the value is not UTF-8/)
    }
  })

  it('without the cloud that was named: which there are', async () => {
    const { code, err } = await withClouds('clouds:\n  prod1: {}\n  staging: {}\n', 'cluster list', 'prod')
    expect(code).toBe(3)
    expect(err).toContain('cloud "prod"')
    expect(err).toMatch(/did you mean "prod1"/)
    expect(err).toContain('staging')
  })
})

describe('columns', () => {
  it.each([
    'federation create f --hostcluster cluster1 -f value -c uid',
    'federation create f --hostcluster cluster1 -f value -c planned',
    'federation join f cluster1 -c uuid',
    'cluster update cluster1 --node-count 2 -c nope',
    'cluster delete cluster1 -c nope',
    'coe cluster template create t -c nope --coe kubernetes --image i --external-network n',
  ])('that a command does not have are told before it changes anything: %s', async line => {
    cloud.sandbox.log.clear()
    const result = await cloud.run(line.replace(/^coe /, ''))
    expect([result.code, result.out, result.err]).toEqual([2, '', expect.stringContaining('no such column')])
    expect(cloud.sandbox.log.all()).toEqual([])
  })

  it('are known of a dry run, which has one more', async () => {
    const result = await cloud.run('federation create f --hostcluster cluster1 --dry-run -f json -c planned')
    expect(JSON.parse(result.out)).toEqual({ planned: [expect.objectContaining({ action: 'POST' })] })
  })
})

describe('surroundings', () => {
  it('no HOME at all', async () => {
    const { HOME: _, ...env } = cloud.env
    const result = await runCoe('cluster list -f name', { env, home: undefined })
    expect(result).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n', err: '' })
  })

  it('a home that cannot be written to', async () => {
    const home = join(cloud.home, 'readonly')
    await mkdir(home)
    await writeFile(join(home, '.cache'), 'a file where a folder should be')
    await chmod(home, 0o500)
    const result = await runCoe('cluster list -f name', { env: { ...cloud.env, HOME: home }, home })
    expect(result).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n' })
  })

  it('CI on a terminal: no question, no spinner, no escape sequence on stderr', async () => {
    const result = await cloud.run('cluster list', {
      env: { CI: '1', OS_PASSWORD: undefined },
      tty: true,
      input: 'x\n',
    })
    expect(result.code).toBe(2)
    expect(result.err).not.toContain('Password:')
  })

  it('NO_COLOR on a terminal', async () => {
    const { out } = await cloud.run('cluster list', { env: { NO_COLOR: '1' }, tty: true, columns: 200 })
    expect(out).not.toContain('\u001b[')
    const coloured = await cloud.run('cluster list', { tty: true, columns: 200 })
    expect(coloured.out).toContain('\u001b[')
  })

  it('several clouds, and none is named: a person is told which mode this is, and what the others are', async () => {
    const file = join(cloud.home, 'several.yaml')
    await writeFile(file, '{"clouds": {"a": {}, "b": {}}}')
    const run = { env: { OS_CLIENT_CONFIG_FILE: file }, home: cloud.home, cwd: cloud.home, columns: 200 }
    const note = `standalone mode (none of the clouds in ${file} is chosen: a, b); --os-cloud NAME works with one`
    expect((await runCoe('cluster list', { ...run, tty: true })).err).toContain(note)
    expect((await runCoe('cluster list', run)).err).not.toContain(note)
    expect((await runCoe('cluster list --standalone', { ...run, tty: true })).err).not.toContain(note)
  })

  it('nothing configured: what to do', async () => {
    const result = await runCoe('cluster list --os-cloud nowhere', { env: {}, home: cloud.home, cwd: cloud.home })
    expect(result.code).toBe(3)
    expect(result.err).toMatch(/there is no clouds.yaml/)
  })
})

describe('names from a server', () => {
  const evil = 'a\u001b]0;owned\u0007b\u001b[2Jc\rd\u202e'
  let hostile: TestCloud
  beforeAll(async () => {
    hostile = await startCloud({ clusters: 1 })
    const [cluster] = [...hostile.sandbox.openstack.state.store.clusters.values()]
    if (cluster) cluster.name = evil
  })
  afterAll(() => hostile.close())

  it('cannot act on a terminal', async () => {
    for (const format of ['table', 'value', 'csv', 'yaml', 'json', 'name']) {
      const { code, out } = await hostile.run(`cluster list -f ${format}`, {
        tty: true,
        columns: 200,
        env: { NO_COLOR: '1' },
      })
      expect(code).toBe(0)
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/)
    }
  })

  it('reach a script as they are', async () => {
    expect((await hostile.run('cluster list -f value -c name')).out).toBe(`${evil}\n`)
    expect(JSON.parse((await hostile.run('cluster list -f json')).out)[0].name).toBe(evil)
  })

  it('with a slash or a blank are asked for as one name', async () => {
    const { code, err } = await hostile.run(['cluster', 'show', 'a b/../c?d'])
    expect(code).toBe(3)
    expect(err).toContain('no cluster "a b/../c?d"')
    expect(hostile.sandbox.log.all().some(e => e.url === '/v1/clusters/a%20b%2F..%2Fc%3Fd')).toBe(true)
  })
})

describe('names that lead to another address than that of a thing', () => {
  it.each(['', '.', '..'])('"%s" is refused, and nothing is asked for', async name => {
    for (const words of [
      ['cluster', 'show', name],
      ['cluster', 'delete', name, '--force'],
      ['cluster', 'template', 'show', name],
      ['nodegroup', 'list', name],
      ['nodegroup', 'show', 'cluster1', name],
      ['federation', 'show', name],
      ['ca', 'show', name],
    ]) {
      const before = cloud.sandbox.log.all().length
      const { code, out, err } = await cloud.run(words)
      expect({ words, code, out }).toEqual({ words, code: 2, out: '' })
      expect(err).toContain(`"${name}" is neither a name nor a uuid`)
      const asked = cloud.sandbox.log.all().slice(before)
      expect(asked.filter(e => e.url.startsWith('/v1'))).toEqual([])
    }
  })

  it('"detail" is where a list is: no cluster is made of it', async () => {
    const { code, out, err } = await cloud.run('cluster show detail')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('is not a cluster')
  })
})

describe('very many', () => {
  // difference: all-pages
  it('5,000 clusters come over pages, all of them, in seconds', async () => {
    const large = await startCloud({ clusters: 5000, maxLimit: 1000 })
    const { code, out } = await large.run('cluster list -f value -c uuid')
    expect(code).toBe(0)
    expect(new Set(out.trim().split('\n')).size).toBe(5000)
    expect(large.sandbox.log.all().filter(e => e.url.startsWith('/v1/clusters'))).toHaveLength(6)
    const some = await large.run('cluster list -f value -c name --limit 1500')
    expect(some.out.trim().split('\n')).toHaveLength(1500)
    await large.close()
  })
})
