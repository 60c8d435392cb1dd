import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedCluster, seedFederation, seedTemplate } from '../../../src/sandbox/openstack/seed.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
const seed = async (...names: string[]) => {
  const { accounts, state } = cloud.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  const template = [...state.store.templates.values()][0] ?? seedTemplate(state, owner)
  const made = await Promise.all(names.map(name => seedCluster(state, owner, template, { name })))
  // nothing is behind their addresses here; what clusters themselves are asked is in cluster-delete-marked.test.ts
  for (const cluster of made) cluster.api_address = null
  return made
}
const there = async () => (await cloud.run('cluster list -f value -c name')).out.split('\n').filter(Boolean)

beforeAll(async () => {
  cloud = await startCloud({ federation: 'working' })
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.sandbox.faults.clear()
  const { store } = cloud.sandbox.openstack.state
  store.clusters.clear()
  store.federations.clear()
})

describe('coe cluster delete', () => {
  it('says what upstream says, for each', async () => {
    await seed('a', 'b', 'c')
    const { code, out, err } = await cloud.run('cluster delete a b')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe('Request to delete cluster a has been accepted.\nRequest to delete cluster b has been accepted.\n')
    cloud.sandbox.clock.advance(60_000)
    expect(await there()).toEqual(['c'])
  })

  it.each(['', '--wait', '--force'])(
    'takes a cluster that is named twice, by name and uuid, for one (%s)',
    async option => {
      const [one] = await seed('one', 'other')
      if (!one) throw new Error('not seeded')
      one.api_address = 'https://127.0.0.1:1'
      cloud.sandbox.log.clear()
      const { code, out, err } = await cloud.run(`cluster delete one ${one.uuid} other one ${option}`)
      expect(code).toBe(0)
      expect(out.match(/has been accepted/g)).toHaveLength(2)
      expect(err).toMatch(/"\S+" and "\S+" are the same cluster: it is deleted once/)
      expect(err.match(/could not check/g) ?? []).toHaveLength(option === '--force' ? 0 : 1)
      const sent = (method: string, path: RegExp) =>
        cloud.sandbox.log.all().filter(e => e.method === method && path.test(e.url))
      expect(sent('DELETE', /clusters/)).toHaveLength(2)
      expect(sent('POST', /certificates/)).toHaveLength(option === '--force' ? 0 : 1)
    },
  )

  it('tells once, for both of its names, that a federation needs it', async () => {
    const [one] = await seed('one')
    if (!one) throw new Error('not seeded')
    const { accounts, state } = cloud.sandbox.openstack
    seedFederation(state, { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }, one, { name: 'f' })
    const { code, err } = await cloud.run(`cluster delete one ${one.uuid}`)
    expect(code).toBe(5)
    expect(err.match(/is the host of federation "f"/g)).toHaveLength(1)
  })

  // difference: many-go-on
  it('goes on after one that is not there, and exits 6', async () => {
    await seed('a', 'b')
    const { code, out, err } = await cloud.run('cluster delete a nosuch b')
    expect(code).toBe(6)
    expect(out).toContain('cluster a has')
    expect(out).toContain('cluster b has')
    expect(err).toMatch(/^coe: no cluster "nosuch" in cloud/)
  })

  // difference: exit-codes
  it('exits 3 when none of them is there, and 0 with --ignore-not-found', async () => {
    expect((await cloud.run('cluster delete x y')).code).toBe(3)
    const { code, out, err } = await cloud.run('cluster delete x --ignore-not-found -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([{ cluster: 'x', uuid: null, result: 'missing' }])
    expect(err).toBe('there is no cluster "x": nothing to delete\n')
  })

  it('with --wait looks until all are gone, side by side', async () => {
    const made = await seed('a', 'b')
    const { code, out } = await cloud.run('cluster delete a b --wait -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(made.map(c => ({ cluster: c.name, uuid: c.uuid, result: 'deleted' })))
    expect(await there()).toEqual([])
  })

  it('with --wait tells why one could not be deleted', async () => {
    await seed('a', 'a-fail-delete')
    const { code, err } = await cloud.run('cluster delete a a-fail-delete --wait')
    expect(code).toBe(6)
    expect(err).toContain('coe: cluster "a-fail-delete" is DELETE_FAILED: ')
    expect(err).toContain('default-worker: Resource DELETE failed')
    const again = await cloud.run('cluster delete a-fail-delete --wait')
    expect(again.code).toBe(1) // a failure of before is not taken for one of now, but this one fails again
  })

  it('with --wait says so when Magnum accepts it and does nothing', async () => {
    await seed('a-conflict-delete')
    const { code, err } = await cloud.run('cluster delete a-conflict-delete --wait')
    expect(code).toBe(1)
    expect(err).toContain('but did nothing: it is still CREATE_COMPLETE')
  })

  // difference: names-suggested
  it('shows which clusters an ambiguous name has', async () => {
    const [first, second] = await seed('same', 'same')
    const { code, err } = await cloud.run('cluster delete same')
    expect(code).toBe(5)
    expect(err).toContain('"same" is the name of 2 clusters in cloud')
    expect(err).toContain(`${first?.uuid} (CREATE_COMPLETE), ${second?.uuid} (CREATE_COMPLETE)`)
    expect((await cloud.run(`cluster delete ${first?.uuid}`)).code).toBe(0)
  })
})

describe('a cluster that a federation needs', () => {
  const federate = async () => {
    const [host, member] = await seed('host', 'member')
    const { accounts, state } = cloud.sandbox.openstack
    const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
    if (!host || !member) throw new Error('not seeded')
    seedFederation(state, owner, host, { name: 'fed', member_ids: [member.uuid] })
  }

  it('is named in lines that lead to the same cloud again, and repeat no secret', async () => {
    await federate()
    const { OS_PROJECT_NAME: project, OS_PASSWORD: password } = cloud.env
    const where = ['--os-project-name', `${project}`, '--os-password', `${password}`]
    const { err } = await cloud.run([...where, 'cluster', 'delete', 'host', 'member'])
    expect(err).toContain(`coe --os-project-name ${project} federation delete fed`)
    expect(err).toContain(`coe --os-project-name ${project} federation unjoin fed member`)
    expect(err).not.toContain(password)
  })

  // difference: members-kept
  it('is not deleted, be it host or member', async () => {
    await federate()
    cloud.sandbox.log.clear()
    const { code, out, err } = await cloud.run('cluster delete host member')
    expect({ code, out }).toEqual({ code: 5, out: '' })
    expect(err).toContain('cluster "host" is the host of federation "fed"')
    expect(err).toContain('coe federation delete fed')
    expect(err).toContain('cluster "member" is a member of federation "fed"')
    expect(err).toContain('coe federation unjoin fed member')
    expect(cloud.sandbox.log.all().filter(e => e.method === 'DELETE')).toEqual([])
  })

  it('is with --force, without asking about federations', async () => {
    await federate()
    cloud.sandbox.log.clear()
    expect((await cloud.run('cluster delete member --force')).code).toBe(0)
    expect(cloud.sandbox.log.all().filter(e => e.url.includes('federations'))).toEqual([])
  })
})
