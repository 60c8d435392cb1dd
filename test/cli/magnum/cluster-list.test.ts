import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 3 })
})
afterAll(() => cloud.close())

describe('coe cluster list', () => {
  it('prints the bordered table that scripts parse', async () => {
    const { code, out, err } = await cloud.run('cluster list -c name -c status')
    expect(out).toBe(
      [
        '+----------+-----------------+',
        '| name     | status          |',
        '+----------+-----------------+',
        '| cluster1 | CREATE_COMPLETE |',
        '| cluster2 | CREATE_COMPLETE |',
        '| cluster3 | CREATE_COMPLETE |',
        '+----------+-----------------+',
        '',
      ].join('\n'),
    )
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  it('has more columns with --long', async () => {
    const header = async (line: string) => (await cloud.run(line)).out.split('\n')[1] ?? ''
    expect(await header('cluster list --long')).toContain('coe_version')
    expect(await header('cluster list')).not.toContain('coe_version')
  })

  it('takes one request once the token is there', async () => {
    await cloud.run('cluster list')
    cloud.sandbox.log.clear()
    await cloud.run('cluster list')
    expect(cloud.sandbox.log.all().map(e => `${e.method} ${e.url}`)).toEqual(['GET /v1/clusters'])
  })

  it('filters by name and status, and limits what is left', async () => {
    const names = async (line: string) => (await cloud.run(`${line} -f value -c name`)).out.trim().split('\n')
    expect(await names('cluster list --name *2')).toEqual(['cluster2'])
    expect(await names('cluster list --status complete --limit 2')).toEqual(['cluster1', 'cluster2'])
    expect(await names('cluster list --status FAILED')).toEqual([''])
    expect(await names('cluster list --sort-key name --sort-dir desc --limit 1')).toEqual(['cluster3'])
    const { err } = await cloud.run('cluster list --sort-key node_count')
    expect(err).toContain('hint: --sort-column sorts by any column, within coe')
  })

  it('takes options of every command before and after the words', async () => {
    expect((await cloud.run('-f name cluster list')).out).toBe((await cloud.run('cluster list -o name')).out)
    expect((await cloud.run('--quiet cluster --debug list -f json')).code).toBe(0)
  })
})

describe('a list of nothing', () => {
  it('is told to a person at a terminal, and no script', async () => {
    const none = 'cluster list --name nosuch --color never'
    expect(await cloud.run(none, { tty: true })).toEqual({ code: 0, out: '\n', err: 'there is nothing to list\n' })
    expect(await cloud.run(none, { tty: { stderr: true } })).toEqual({ code: 0, out: '\n', err: '' })
  })
})

describe('cluster list --project', () => {
  const names = async (run: TestCloud['run'], line: string) => {
    const { code, out, err } = await run(`cluster list -f name --project ${line}`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return out
  }
  const all = 'cluster1\ncluster2\ncluster3\n'

  it('takes the id or the name of one’s own project, and asks Keystone nothing for it', async () => {
    const { demo } = cloud.sandbox.openstack.accounts.projects
    await cloud.run('cluster list')
    cloud.sandbox.log.clear()
    expect([await names(cloud.run, demo.id), await names(cloud.run, 'demo')]).toEqual([all, all])
    expect(cloud.sandbox.log.all().map(e => e.url)).toEqual(['/v1/clusters/detail', '/v1/clusters/detail'])
  })

  it('takes the name of another project where Keystone tells which it is', async () => {
    const admin = cloud.as('admin', 'admin')
    expect(await names(admin, 'demo')).toBe(all)
    expect(await names(admin, 'alt')).toBe('')
  })

  it('says so where it may not be seen, where there is none, and where there are several', async () => {
    const denied = await cloud.run('cluster list --project admin')
    expect([denied.code, denied.out]).toEqual([4, ''])
    expect(denied.err).toMatch(
      /^coe: you are not allowed to look up project "admin": .*list_projects.*\nhint: .*--project ID/,
    )
    const admin = cloud.as('admin', 'admin')
    const missing = await admin('cluster list --project dmeo')
    expect(missing.code).toBe(3)
    expect(missing.err).toContain('coe: there is no project "dmeo" in cloud')
    const { directory, projects } = cloud.sandbox.openstack.accounts
    const twin = directory.addProject('demo')
    const several = await admin('cluster list --project demo')
    directory.projects.splice(directory.projects.indexOf(twin), 1)
    expect(several.code).toBe(5)
    expect(several.err).toContain(`hint: name the project by its id: ${projects.demo.id} (domain default), ${twin.id}`)
  })

  it('is refused where no Keystone is asked, and for contexts', async () => {
    const env = { OS_AUTH_TYPE: 'none', OS_ENDPOINT: cloud.sandbox.magnumUrl }
    const none = await cloud.run('cluster list --project demo', { env })
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('auth type none uses no Keystone')])
    const standalone = await cloud.run('--standalone cluster list --project demo')
    expect([standalone.code, standalone.err]).toEqual([
      2,
      expect.stringContaining('--project: this option is for magnum mode'),
    ])
  })

  it('gets a new token where the kept one was revoked', async () => {
    const admin = cloud.as('admin', 'admin')
    await admin('cluster list')
    cloud.sandbox.openstack.tokens.revokeAll()
    expect(await names(admin, 'demo')).toBe(all)
  })
})

describe('a column of standalone mode', () => {
  it.each([
    ['cluster list -c name -c member_of', '-c member_of: this column is'],
    ['cluster show cluster1 -c credentials -c Namespace', '-c credentials, -c namespace: these columns are'],
    ['federation show myfed -c name -c context_name', '-c context_name: this column is'],
  ])('is refused like an option of it: %s', async (line, says) => {
    cloud.sandbox.log.clear()
    const { code, err } = await cloud.run(line)
    expect([code, err]).toEqual([2, expect.stringContaining(`${says} for standalone mode, and this is magnum mode`)])
    expect(cloud.sandbox.log.all()).toEqual([])
  })
})

describe('a mistake on the line', () => {
  it.each([
    ['cluster lst', 'unknown command "cluster lst"', 'did you mean "list"?'],
    ['list', 'unknown command "list"', '"cluster list"'],
    ['cluster list --limt 3', 'unknown option "--limt" of "coe cluster list"', 'did you mean "--limit"?'],
    ['cluster list -f jsn', '--format: "jsn" is not one of', 'did you mean "json"?'],
    ['cluster list --limit 0', '--limit: 0 is less than 1', ''],
    ['cluster list --interval 3s', '--interval has no effect without --watch', ''],
    ['cluster list --limit', '--limit needs a value', 'coe cluster list --help'],
    ['cluster list -qf', '-f needs a value', 'coe cluster list --help'],
    ['cluster list c1', '"coe cluster list" does not take "c1"', 'usage: coe cluster list'],
  ])('%s', async (line, says, hints) => {
    const { code, out, err } = await cloud.run(line)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`coe: ${says}`)
    expect(err).toContain(hints)
  })

  // difference: json-errors
  it('is an object on stderr when JSON was asked for', async () => {
    const { code, err } = await cloud.run('cluster list --limt 3 -f json')
    expect(code).toBe(2)
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'usage',
        exit_code: 2,
        message: 'unknown option "--limt" of "coe cluster list"',
        hint: 'did you mean "--limit"?',
      },
    })
  })
})

describe('a marker that is none', () => {
  it('is refused with what it should be', async () => {
    const { code, err } = await cloud.run('cluster list --marker cluster1')
    expect(code).toBe(1)
    expect(err).toContain('hint: --marker takes the uuid')
  })
})

describe('regions', () => {
  it('are Magnums of their own: what is in one is not in the other', async () => {
    const two = await startCloud({ clusters: 1, regions: ['north', 'south'] })
    const [, south] = two.sandbox.openstack.regions
    const names = async (options: string) => (await two.run(`cluster list -f value -c name ${options}`)).out.trim()
    expect(await names('')).toBe('cluster1')
    expect(await names('--os-region-name south')).toBe('')
    const template = 'k8s --coe kubernetes --image fedora-coreos-38 --external-network public'
    await two.run(`cluster template create ${template} --flavor m1.small --os-region-name south`)
    await two.run('cluster create below --cluster-template k8s --os-region-name south')
    expect(await names('--os-region-name south')).toBe('below')
    expect(await names('--os-region-name north')).toBe('cluster1')
    expect([...(south?.state.store.clusters.values() ?? [])].map(c => c.name)).toEqual(['below'])
    const { code, err } = await two.run('cluster list --os-region-name South')
    expect([code, err]).toEqual([1, expect.stringContaining('did you mean "south"?')])
    await two.close()
  })
})
