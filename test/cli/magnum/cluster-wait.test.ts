/** `cluster wait` and `cluster list --watch`: looking, until something is so, or until Ctrl-C. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/core/time.ts'
import { seedCluster, seedTemplate } from '../../../src/sandbox/openstack/seed.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { pressCtrlC } from '../../support/ctrl-c.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  const { accounts, state } = cloud.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  await seedCluster(state, owner, seedTemplate(state, owner, { name: 't' }), {
    name: 'broken',
    status: 'UPDATE_FAILED',
  })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.sandbox.faults.clear())

describe('coe cluster wait', () => {
  it('is done at once when the cluster is complete', async () => {
    const { code, out } = await cloud.run('cluster wait cluster1')
    expect(code).toBe(0)
    expect(out).toMatch(/^Cluster cluster1 is CREATE_COMPLETE/)
  })

  it('looks until a change is through', async () => {
    await cloud.run('cluster create fresh --cluster-template k8s')
    cloud.sandbox.clock.advance(1_000)
    const { code, out } = await cloud.run('cluster wait fresh -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'fresh', status: 'CREATE_COMPLETE' })
  })

  it('may come before the cluster does: Magnum says yes before it has made anything', async () => {
    const slow = await startCloud({ clusters: 1, timing: { clusterStore: 900 } })
    try {
      await slow.run('cluster create late --cluster-template k8s')
      const { code, out } = await slow.run('cluster wait late')
      expect([code, out]).toEqual([0, expect.stringContaining('late is CREATE_COMPLETE')])
      expect((await slow.run('cluster create later --cluster-template k8s --wait')).code).toBe(0)
      const never = await slow.run('cluster wait never')
      expect([never.code, never.err]).toEqual([3, expect.stringContaining('no cluster "never"')])
    } finally {
      await slow.close()
    }
  })

  it('takes a cluster that came between two looks as there', async () => {
    const detail = 'Cluster cluster1 could not be found.'
    const body = { errors: [{ request_id: '', code: 'client', status: 404, title: '', detail, links: [] }] }
    const early = cloud.sandbox.faults.order({
      method: 'GET',
      path: /clusters\/cluster1$/,
      effect: { kind: 'answer', status: 404, body },
    })
    expect(await cloud.run('cluster show cluster1 -f value -c name')).toMatchObject({ code: 0, out: 'cluster1\n' })
    expect(early.hits).toBe(1)
  })

  it('looks until a cluster is gone; one that never was is gone as well', async () => {
    await cloud.run('cluster delete fresh')
    expect(await cloud.run('cluster wait fresh --for gone')).toMatchObject({ code: 0, out: 'Cluster fresh is gone\n' })
    expect(await cloud.run('cluster wait fresh --for gone -f json')).toMatchObject({ code: 0, out: '' })
    expect((await cloud.run('cluster wait fresh')).code).toBe(3)
  })

  it('looks for a status, of one or several', async () => {
    const { code, out } = await cloud.run('cluster wait broken --for status=UPDATE_COMPLETE,update_failed')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^Cluster broken is UPDATE_FAILED/) })
  })

  it('fails as soon as the cluster has failed', async () => {
    const { code, err } = await cloud.run('cluster wait broken')
    expect(code).toBe(1)
    expect(err).toContain('coe: cluster "broken" is UPDATE_FAILED')
  })

  it('gives up with exit 7, and says what it saw', async () => {
    const { code, err } = await cloud.run('cluster wait cluster1 --for status=DELETE_COMPLETE --wait-timeout 20s')
    expect(code).toBe(7)
    expect(err).toContain('cluster "cluster1" to be DELETE_COMPLETE after 20s; last seen: CREATE_COMPLETE')
  })

  it('gives up in time, though the server says nothing any more', async () => {
    const path = /clusters\/[\da-f-]{36}$/
    const away = cloud.sandbox.faults.order({ path, nth: 2, times: 9, effect: { kind: 'silence-before' } })
    const begun = Date.now()
    const line = 'cluster wait cluster1 --for status=DELETE_COMPLETE --wait-timeout 2s'
    const { code, err } = await cloud.run(line, { clock: systemClock })
    away.remove()
    expect(code).toBe(7)
    expect(err).toContain('after 2s; last seen: CREATE_COMPLETE')
    expect(Date.now() - begun).toBeLessThan(40_000)
  })

  it('outlives a server that restarts', async () => {
    await cloud.run('cluster create again --cluster-template k8s')
    cloud.sandbox.clock.advance(1_000)
    const away = cloud.sandbox.faults.order({
      service: 'magnum',
      method: 'GET',
      path: /clusters\/[\da-f-]{36}$/,
      nth: 2,
      times: 3,
      effect: { kind: 'answer', status: 500 },
    })
    const { code, err } = await cloud.run('cluster wait again')
    expect(code).toBe(0)
    expect(away.hits).toBe(3)
    expect(err).toContain('HTTP 500')
  })

  it.each([
    ['delete', 'did you mean "gone"?'],
    ['create_complete', 'did you mean "status=CREATE_COMPLETE"?'],
    ['helthy', 'did you mean "healthy"?'],
    ['ready', '--for: "ready" is not one of complete, healthy, gone, status=STATUS'],
    ['status=CREATE_COMPLET', 'did you mean "CREATE_COMPLETE"'],
  ])('refuses --for %s', async (goal, says) => {
    const { code, err } = await cloud.run(`cluster wait cluster1 --for ${goal}`)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})

describe('coe cluster list --watch', () => {
  it('off a terminal prints what there is, and then a line for each change, until Ctrl-C', async () => {
    await cloud.run('cluster resize cluster1 2')
    const { code, out } = await cloud.run('cluster list --watch --interval 1s --name cluster1', pressCtrlC(cloud, 8))
    expect(code).toBe(130)
    const lines = out
      .trim()
      .split('\n')
      .map(line => line.replace(/^\S+Z /, ''))
    expect(lines[0]).toMatch(/^cluster1 /)
    expect(lines.at(-1)).toMatch(/^cluster1 UPDATE_IN_PROGRESS, .* -> UPDATE_COMPLETE, .*2 nodes$/)
    expect(lines.length).toBeLessThan(5) // looks that find nothing new say nothing
  })

  it('tells of clusters that come and go', async () => {
    await cloud.run('cluster delete again')
    const { out } = await cloud.run('cluster list --watch --name again', pressCtrlC(cloud, 6))
    expect(out.trim().split('\n').at(-1)).toMatch(/ again gone$/)
  })

  it('on a terminal draws the table anew', async () => {
    const { code, out } = await cloud.run('cluster list --watch --interval 2s', { tty: true, ...pressCtrlC(cloud, 1) })
    expect(code).toBe(130)
    const pages = out.split('\x1b[H\x1b[2J').slice(1)
    expect(pages).toHaveLength(2)
    expect(pages[1]).toContain('every 2s; Ctrl-C ends')
    expect(pages[1]).toContain('| cluster1 ')
  })

  it.each([
    ['-f json', '--watch prints a table, or lines of its own'],
    ['--interval 10ms', '--interval: the minimum is 1s'],
  ])('refuses %s', async (option, says) => {
    const { code, err } = await cloud.run(`cluster list --watch ${option}`)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })

  it('ends when the server refuses', async () => {
    cloud.sandbox.faults.order({ service: 'magnum', path: /clusters/, nth: 2, effect: { kind: 'answer', status: 403 } })
    const { code } = await cloud.run('cluster list --watch')
    expect(code).toBe(4)
  })
})
