import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
let admin: TestCloud['run']
let demo: string
let alt: string
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
  admin = cloud.as('admin', 'admin')
  const { projects } = cloud.sandbox.openstack.accounts
  demo = projects.demo.id
  alt = projects.alt.id
})
afterAll(() => cloud.close())

describe('coe quotas', () => {
  // difference: quotas-defaults
  it('show is about the project one works in, and takes one request', async () => {
    await cloud.run('quotas show')
    cloud.sandbox.log.clear()
    const { code, out, err } = await cloud.run('quotas show')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n').slice(0, 2)).toEqual([
      `+------------+${'-'.repeat(34)}+`,
      `| Property   | Value${' '.repeat(28)}|`,
    ])
    expect(out).toContain(`| project_id | ${demo} |`)
    expect(cloud.sandbox.log.all().length).toBe(1)
    expect((await cloud.run('quotas show --resource cluster')).out).toBe(out)
  })

  // difference: formatted-tables
  it('show counts what is in use with -f, in which stock has nothing', async () => {
    const { out } = await cloud.run('quotas show -f json')
    expect(JSON.parse(out)).toEqual({
      resource: 'Cluster',
      created_at: null,
      updated_at: null,
      hard_limit: 20,
      project_id: demo,
      id: null,
      in_use: 2,
    })
    expect((await cloud.run('quotas show -f value -c id -c in_use')).out).toBe('-\n2\n')
  })

  it('create, update, list and delete, for administrators', async () => {
    const created = await admin(`quotas create --project-id ${alt} --hard-limit 7`)
    expect(created.code).toBe(0)
    expect(created.out).toMatch(/\| hard_limit \| 7 +\|/)
    expect(created.out).toMatch(/\| updated_at \| - +\|/)
    const updated = await admin(`quotas update --project-id ${alt} --resource cluster --hard-limit 8 -f json`)
    expect(JSON.parse(updated.out)).toMatchObject({ hard_limit: 8, resource: 'Cluster', project_id: alt })
    const listed = await admin('quotas list --all-tenants')
    expect(listed.out).toContain(`| ${alt} | Cluster  | 8          |`)
    expect((await admin('quotas list')).out.split('\n').length).toBe(5) // a header, and no row: its own project has none
    expect(JSON.parse((await admin('quotas list --all-tenants -f json')).out)).toEqual([
      { project_id: alt, resource: 'Cluster', hard_limit: 8 },
    ])
    const deleted = await admin(`quotas delete --project-id ${alt} --resource Cluster`)
    expect(deleted.out).toBe(`Request to delete quota for project id ${alt} and resource Cluster has been accepted.\n`)
  })

  // difference: quotas-update-limit
  it('create makes 1 of it when no limit is said, as upstream; update insists on one', async () => {
    expect((await admin(`quotas create --project-id ${alt} -f value -c hard_limit`)).out).toBe('1\n')
    const { code, err } = await admin(`quotas update --project-id ${alt}`)
    expect(code).toBe(2)
    expect(err).toContain('needs --hard-limit')
    await admin(`quotas delete --project-id ${alt}`)
  })

  it('settles a lost answer by looking', async () => {
    cloud.sandbox.faults.order({ method: 'POST', path: /quotas/, effect: { kind: 'reset-after' } })
    expect((await admin(`quotas create --project-id ${alt} --hard-limit 3 -f value -c hard_limit`)).out).toBe('3\n')
    await admin(`quotas delete --project-id ${alt}`)
  })

  it('list takes all pages, and numbers as markers', async () => {
    const small = await startCloud({ maxLimit: 1 })
    const chief = small.as('admin', 'admin')
    const { projects } = small.sandbox.openstack.accounts
    for (const project of [projects.demo, projects.alt, projects.admin]) {
      await chief(`quotas create --project-id ${project.id} --hard-limit 4`)
    }
    expect((await chief('quotas list --all-tenants -f value -c id')).out).toBe('1\n2\n3\n')
    expect((await chief('quotas list --all-tenants --marker 1 --limit 1 -f value -c id')).out).toBe('2\n')
    const wrong = await chief('quotas list --marker abc')
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('is not the number of a quota')
    await small.close()
  })

  it('keeps the digits of large numbers', async () => {
    const quota = { id: 1, project_id: 'p', resource: 'Cluster', hard_limit: 0, created_at: null, updated_at: null }
    const body = JSON.stringify({ quotas: [quota, quota] })
      .replace(':0', ':9007199254740993')
      .replace(':0', ':5')
    const list = async (format: string) => {
      const effect = { kind: 'garbage', bytes: body, contentType: 'application/json' } as const
      cloud.sandbox.faults.order({ service: 'magnum', path: /^\/v1\/quotas/, effect })
      return (await admin(`quotas list ${format}`)).out
    }
    expect(await list('')).toContain('| 9007199254740993 |')
    for (const format of ['value', 'csv', 'yaml', 'json'])
      expect(await list(`-f ${format}`)).toMatch(/(?<!")9007199254740993(?!")/)
    expect(await list('-f value -c hard_limit --sort-column hard_limit')).toBe('5\n9007199254740993\n')
    // difference: integer-options
    const { code, err } = await admin(`quotas create --project-id ${alt} --hard-limit 9007199254740993`)
    expect(code).toBe(2)
    expect(err).toContain('9007199254740993 is too large')
  })

  it.each([
    ['quotas list', 4, "Policy doesn't allow"],
    ['quotas create --hard-limit 3', 4, "Policy doesn't allow"],
    ['quotas show --project-id 0', 4, 'Not authorized'],
    ['quotas create --hard-limit -1', 2, '-1 is less than 0'],
  ])('"%s" of somebody who may not ends with exit code %i', async (line, code, says) => {
    const result = await cloud.run(line)
    expect(result).toMatchObject({ code, out: '' })
    expect(result.err).toContain(says)
  })

  // difference: exit-on-failure
  it('failures are failures, where upstream prints them and exits 0', async () => {
    await admin(`quotas create --project-id ${alt}`)
    const again = await admin(`quotas create --project-id ${alt}`)
    expect(again.code).toBe(5)
    expect(again.err).toContain('coe quotas update')
    await admin(`quotas delete --project-id ${alt}`)
    expect((await admin(`quotas delete --project-id ${alt}`)).code).toBe(3)
    expect((await admin(`quotas delete --project-id ${alt} --ignore-not-found`)).code).toBe(0)
    const missing = await admin(`quotas update --project-id ${alt} --hard-limit 2`)
    expect(missing.code).toBe(3)
    expect(missing.err).toContain('coe quotas create')
    expect((await admin('quotas create --resource Nodes')).code).toBe(1)
  })
})
