import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 2 })
})
afterAll(() => cloud.close())

describe('coe stats list', () => {
  // difference: stats-default
  it("prints upstream's table, for one's own project when none is named", async () => {
    const { code, out } = await cloud.run('stats list')
    expect(code).toBe(0)
    const named = await cloud.run(`stats list ${cloud.sandbox.openstack.accounts.projects.demo.id}`)
    expect(named.out).toBe(out)
    expect(out.split('\n').slice(0, 4)).toEqual([
      '+----------+-------+',
      '| Property | Value |',
      '+----------+-------+',
      '| clusters | 2     |',
    ])
  })

  // difference: formatted-tables
  it('is an object with -f', async () => {
    expect(JSON.parse((await cloud.run('stats list -f json')).out)).toEqual({ clusters: 2, nodes: expect.any(Number) })
    expect((await cloud.run('stats list -f shell -c clusters')).out).toBe('clusters="2"\n')
  })

  it('counts the whole cloud for an administrator who names no project', async () => {
    expect((await cloud.as('admin', 'admin')('stats list -f value -c clusters')).out).toBe('2\n')
  })

  it('refuses the project of others', async () => {
    expect((await cloud.run(`stats list ${cloud.sandbox.openstack.accounts.projects.alt.id}`)).code).toBe(4)
  })
})
