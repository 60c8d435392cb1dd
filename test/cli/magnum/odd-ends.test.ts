/** Waiting ends with exit 0 only for what was waited for: not for a rollback, a deletion, or a status that says nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedCluster, seedFederation, seedTemplate } from '../../../src/sandbox/openstack/seed.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
let owner: { projectId: string; userId: string }
const store = () => cloud.sandbox.openstack.state.store

beforeAll(async () => {
  cloud = await startCloud({ clusters: 2, federation: 'working', tls: false })
  const { accounts, state } = cloud.sandbox.openstack
  owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  const template = seedTemplate(state, owner, { name: 'next', labels: { kube_tag: 'v1.24.1' } })
  await seedCluster(state, owner, template, { name: 'odd' })
  await seedCluster(state, owner, template, { name: 'a-fail-update' })
  await seedCluster(state, owner, template, { name: 'b-fail-update' })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.sandbox.faults.clear())

const clusterOf = (name: string) => {
  const found = [...store().clusters.values()].find(c => c.name === name)
  if (!found) throw new Error(`the sandbox has no ${name}`)
  return found
}
const seconds = () => cloud.sandbox.clock.now() / 1000

/** Null is not what the sandbox's own conductor ever says; a server that was restored from a backup may. */
const set = <T extends object>(thing: T, status: string | null, reason?: string): T =>
  Object.assign(thing, { status, status_reason: reason ?? null, updated_at: cloud.sandbox.clock.now() })

describe('coe cluster wait', () => {
  it.each([
    [null, 'cluster "odd" has no status'],
    ['', 'cluster "odd" has no status'],
    ['ERROR', 'cluster "odd" is ERROR: it burned'],
    ['SLEEPING', 'cluster "odd" has the status "SLEEPING", which Magnum is not known to have'],
    ['WEIRD_COMPLETE', 'has the status "WEIRD_COMPLETE"'],
    ['DELETE_COMPLETE', 'cluster "odd" is DELETE_COMPLETE: it was deleted'],
    ['ROLLBACK_COMPLETE', 'the last change of cluster "odd" failed and was rolled back (ROLLBACK_COMPLETE): it burned'],
  ])('fails soon when the status is %j', async (status, says) => {
    set(clusterOf('odd'), status, 'it burned')
    const begun = seconds()
    const { code, out, err } = await cloud.run('cluster wait odd')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(says)
    expect(seconds() - begun).toBeLessThan(20)
  })

  it.each([null, 'SLEEPING', 'DELETE_COMPLETE'])('does not call a cluster healthy whose status is %j', async status => {
    const odd = set(clusterOf('odd'), status)
    odd.health_status = 'HEALTHY'
    const { code } = await cloud.run('cluster wait odd --for healthy')
    odd.health_status = null
    expect(code).toBe(1)
  })

  it('takes a status that comes a moment late', async () => {
    set(clusterOf('odd'), null)
    cloud.sandbox.clock.after(3_000, () => set(clusterOf('odd'), 'CREATE_COMPLETE'))
    expect(await cloud.run('cluster wait odd')).toMatchObject({ code: 0, out: 'Cluster odd is CREATE_COMPLETE\n' })
  })

  it('finds a rolled back cluster that works healthy, and one that was waited for', async () => {
    const odd = set(clusterOf('odd'), 'ROLLBACK_COMPLETE')
    odd.health_status = 'HEALTHY'
    expect((await cloud.run('cluster wait odd --for healthy')).code).toBe(0)
    expect((await cloud.run('cluster wait odd --for status=ROLLBACK_COMPLETE')).code).toBe(0)
    odd.health_status = null
  })
})

describe('coe cluster update --rollback --wait', () => {
  it.each(['a-fail-update', 'b-fail-update'])('tells at once that %s was rolled back, and why', async name => {
    // Magnum calls a cluster with further groups UPDATE_COMPLETE
    if (name === 'b-fail-update') expect((await cloud.run(`nodegroup create ${name} more`)).code).toBe(0)
    if (name === 'b-fail-update') set(clusterOf(name), 'UPDATE_COMPLETE')
    cloud.sandbox.clock.advance(60_000)
    set(clusterOf(name), 'UPDATE_COMPLETE')
    for (const group of clusterOf(name).nodegroups) group.status = 'UPDATE_COMPLETE'
    const begun = seconds()
    const { code, err } = await cloud.run(`cluster update ${name} --node-count 3 --rollback --wait`)
    expect(code).toBe(1)
    expect(err).toContain(`the last change of cluster "${name}" failed and was rolled back`)
    expect(err).toContain('No valid host was found')
    expect(err).not.toContain('did nothing')
    expect(seconds() - begun).toBeLessThan(40)
  })

  it('may be tried again, and is told again', async () => {
    const { code, err } = await cloud.run('cluster update a-fail-update --node-count 4 --rollback --wait')
    expect([code, err]).toEqual([1, expect.stringContaining('was rolled back (ROLLBACK_COMPLETE): ')])
  })
})

describe('--wait of the other verbs', () => {
  const ends = [
    ['ROLLBACK_COMPLETE', 'rolled back'],
    ['ERROR', 'is ERROR'],
    ['DELETE_COMPLETE', 'DELETE_COMPLETE'],
    ['SLEEPING', 'has the status "SLEEPING"'],
    [null, 'has no status'],
  ] as const

  /** The change runs its course, and its end is another one. */
  const endsAs = <T extends { status: string | null }>(find: () => T | undefined, status: string | null) => {
    const look = () => {
      const found = find()
      if (found && String(found.status).endsWith('_COMPLETE') && found.status !== 'DELETE_COMPLETE') set(found, status)
    }
    for (let ms = 100; ms < 60_000; ms += 100) cloud.sandbox.clock.after(ms, look)
  }

  it.each(ends)('cluster create that ends %s fails', async (status, says) => {
    const name = `c-${String(status).toLowerCase().replace('_', '-')}`
    endsAs(() => [...store().clusters.values()].find(c => c.name === name), status)
    const { code, err } = await cloud.run(`cluster create ${name} --cluster-template k8s --wait`)
    expect([code, err]).toEqual([1, expect.stringContaining(says)])
  })

  it.each(ends)('nodegroup create that ends %s fails', async (status, says) => {
    const name = `g-${String(status).toLowerCase().replace('_', '-')}`
    endsAs(() => clusterOf('cluster1').nodegroups.find(g => g.name === name), status)
    const { code, err } = await cloud.run(`nodegroup create cluster1 ${name} --wait`)
    expect([code, err]).toEqual([1, expect.stringContaining(says)])
    cloud.sandbox.clock.advance(60_000)
  })

  it('a node group is not there while its cluster says nothing', async () => {
    endsAs(() => clusterOf('cluster2'), 'SLEEPING')
    const { code, err } = await cloud.run('nodegroup create cluster2 quiet --wait')
    expect([code, err]).toEqual([1, expect.stringContaining('cluster "cluster2" has the status "SLEEPING"')])
    cloud.sandbox.clock.advance(60_000)
    set(clusterOf('cluster2'), 'UPDATE_COMPLETE')
  })

  it.each([
    ...ends.map(([status]) => ['create', status] as const),
    ...ends.map(([status]) => ['join', status] as const),
    ...ends.map(([status]) => ['update', status] as const),
  ])('federation %s that ends %s fails', async (verb, status) => {
    const name = `f-${verb}-${String(status).toLowerCase().replace('_', '-')}`
    const federation = () => [...store().federations.values()].find(f => f.name === name)
    if (verb !== 'create') seedFederation(cloud.sandbox.openstack.state, owner, clusterOf('cluster1'), { name })
    const before = federation()?.updated_at
    endsAs(() => (federation()?.updated_at === before ? undefined : federation()), status)
    const lines = {
      create: `federation create ${name} --host cluster1 --property dns-zone=a.b. --wait`,
      join: `federation join ${name} cluster2`,
      update: `federation update ${name} --property a=b --wait`,
    }
    const { code, err } = await cloud.run(lines[verb])
    expect(code).toBe(1)
    expect(err).toMatch(status === null ? /no status/ : new RegExp(status))
    cloud.sandbox.clock.advance(60_000)
  })
})
