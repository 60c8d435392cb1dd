/** The formatter's options, and those of coe itself, as a user sees them. */
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
})
afterAll(() => cloud.close())

const out = async (line: string | readonly string[]) => {
  const { code, out, err } = await cloud.run(line)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

describe('the formatter', () => {
  it('--noindent puts JSON on one line', async () => {
    expect(await out('cluster list -f json --noindent -c name')).toBe('[{"name": "cluster1"}, {"name": "cluster2"}]\n')
  })

  it('-v says what is being done: mode, cloud, login, and what is changed', async () => {
    await cloud.run('auth logout')
    const first = await cloud.run('cluster list -v -f name')
    expect(first).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n' })
    expect(first.err.split('\n')).toEqual([
      'magnum mode (inferred: OS_AUTH_URL)',
      expect.stringMatching(/^cloud "envvars" \(OS_AUTH_URL\), https:\S+\/v3$/),
      expect.stringMatching(/^POST https:\S+\/v3\/auth\/tokens → 201 in \d+ ms \(req-/),
      expect.stringMatching(/^Magnum is at https:\S+\/v1$/),
      '',
    ])
    const second = await cloud.run('cluster delete cluster1 --verbose --force')
    expect(second.err).toMatch(
      /^using the token of an earlier run, valid until 20.*\n.*\nDELETE https:\S+\/v1\/clusters\/\S+ → 204 /m,
    )
  })

  // difference: timing-aside
  it('--timing tells each request on stderr', async () => {
    const { code, out, err } = await cloud.run('cluster list -f name --timing')
    expect({ code, out }).toEqual({ code: 0, out: 'cluster1\ncluster2\n' })
    expect(err).toMatch(/^GET https:\S+\/v1\/clusters \d+\.\d{3} s$/m)
  })

  it('--quote decides when CSV quotes', async () => {
    const csv = (quote: string) => out(`cluster list -f csv --quote ${quote} -c name -c node_count`)
    expect(await csv('all')).toBe('"name","node_count"\n"cluster1","1"\n"cluster2","1"\n')
    expect(await csv('minimal')).toBe('name,node_count\ncluster1,1\ncluster2,1\n')
    expect(await csv('nonnumeric')).toBe('"name","node_count"\n"cluster1",1\n"cluster2",1\n')
  })

  it('--sort-descending and --sort-ascending turn --sort-column round, and exclude each other', async () => {
    expect(await out('cluster list -f name --sort-column name --sort-descending')).toBe('cluster2\ncluster1\n')
    expect(await out('cluster list -f name --sort-column name --sort-ascending')).toBe('cluster1\ncluster2\n')
    const both = await cloud.run('cluster list --sort-ascending --sort-descending')
    expect(both.code).toBe(2)
    expect(both.err).toContain('exclude each other')
  })

  it('--print-empty shows the header of nothing', async () => {
    expect(await out('cluster list --name none -c name')).toBe('\n')
    expect(await out('cluster list --name none -c name --print-empty')).toBe('+------+\n| name |\n+------+\n+------+\n')
  })

  it('--prefix and --variable serve shells', async () => {
    expect(await out('cluster show cluster1 -f shell --prefix c_ --variable name --variable node_count')).toBe(
      'c_node_count="1"\nc_name="cluster1"\n',
    )
  })

  it('--max-width and --fit-width keep a table within bounds', async () => {
    const widest = (text: string) => Math.max(...text.split('\n').map(l => l.length))
    expect(widest(await out('cluster list'))).toBeGreaterThan(120)
    expect(widest(await out('cluster list --max-width 110'))).toBeLessThanOrEqual(110)
    const fitted = await cloud.run('cluster list --fit-width', { columns: 115 })
    expect(widest(fitted.out)).toBeLessThanOrEqual(115)
  })
})

describe('coe itself', () => {
  it('--log-file holds what --debug shows, for nobody else to read, without secrets', async () => {
    const file = join(cloud.home, 'log')
    await out(`cluster list -f name --log-file ${file}`)
    const log = await readFile(file, 'utf8')
    expect(log).toMatch(/GET https:.*\/v1\/clusters → 200/)
    expect(log).not.toContain('sandbox-password')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it.runIf(existsSync('/dev/full'))('--log-file on a disk that is full: said once, and the run goes on', async () => {
    const { code, out, err } = await cloud.run('cluster list -f name --log-file /dev/full')
    expect({ code, out }).toEqual({ code: 0, out: 'cluster1\ncluster2\n' })
    expect(err).toBe('warning: cannot write the log file /dev/full: ENOSPC: no space left on device\n')
  })

  it('--no-input never asks, also on a terminal', async () => {
    const { code, err } = await cloud.run('cluster list --no-input', {
      env: { OS_PASSWORD: undefined },
      tty: true,
      input: 'x\n',
    })
    expect(code).toBe(2)
    expect(err).not.toContain('Password:')
  })

  it('--verify undoes an insecure environment', async () => {
    const env = { OS_CACERT: undefined, OS_INSECURE: 'true' }
    expect((await cloud.run('cluster list --verify', { env })).code).toBe(1)
  })

  it('colours as COE_COLOR and config.yaml say, unless --color says otherwise', async () => {
    const coloured = async (line: string, env = {}) => (await cloud.run(line, { env })).out.includes('\u001b[')
    expect(await coloured('cluster list')).toBe(false)
    expect(await coloured('cluster list', { COE_COLOR: 'always' })).toBe(true)
    expect(await coloured('cluster list --color never', { COE_COLOR: 'always' })).toBe(false)
    const config = join(cloud.home, 'config.yaml')
    await writeFile(config, 'color: always\n')
    expect(await coloured('cluster list', { COE_CONFIG: config })).toBe(true)
  })

  it('colours errors as it colours results', async () => {
    const coloured = async (line: string, env = {}) =>
      (await cloud.run(line, { tty: true, env })).err.includes('\u001b[')
    expect(await coloured('cluster show nowhere')).toBe(true)
    expect(await coloured('cluster show nowhere --color never')).toBe(false)
    expect(await coloured('cluster show nowhere', { COE_COLOR: 'never' })).toBe(false)
    expect(await coloured('cluster list --limit many --color never')).toBe(false)
  })

  it('shows what is noted harmless on a terminal', async () => {
    const { err } = await cloud.run(['cluster', 'delete', 'x\u001b[2Jy', '--ignore-not-found', '--color', 'never'], {
      tty: true,
    })
    expect(err).toContain('there is no cluster "x\\x1b[2Jy": nothing to delete')
    expect(err).not.toContain('\u001b[2J')
  })

  it('fetches what only long lists have by any spelling of the column', async () => {
    const times = await out('cluster list -f value -c created_at')
    expect(times).toMatch(/^20\d\d-/)
    expect(await out(['cluster', 'list', '-f', 'value', '-c', 'Created At'])).toBe(times)
  })

  it('lists only clusters of one project with --project', async () => {
    const project = cloud.sandbox.openstack.accounts.projects.demo.id
    expect(await out(`cluster list -f name --project ${project}`)).toBe('cluster1\ncluster2\n')
    expect(await out(`cluster list -f name --project ${'0'.repeat(32)}`)).toBe('')
  })
})
