/** The federation verbs on both kinds of Magnum: one that keeps federations, and one that answers 202 and forgets them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedCluster, seedFederation, seedTemplate } from '../../../src/sandbox/openstack/seed.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

/** Sandboxes with TLS cost something to start; each test clears what the one before left. */
const clouds: TestCloud[] = []
async function cloudOf(options: Parameters<typeof startCloud>[0]): Promise<TestCloud> {
  const cloud = await startCloud({ clusters: 4, tls: false, ...options })
  clouds.push(cloud)
  return cloud
}
afterAll(async () => {
  await Promise.all(clouds.map(c => c.close()))
})

const state = (cloud: TestCloud) => cloud.sandbox.openstack.state
const clusterOf = (cloud: TestCloud, name: string) => {
  const found = [...state(cloud).store.clusters.values()].find(c => c.name === name)
  if (!found) throw new Error(`the sandbox has no ${name}`)
  return found
}
const owner = (cloud: TestCloud) => {
  const { projects, users } = cloud.sandbox.openstack.accounts
  return { projectId: projects.demo.id, userId: users.demo.id }
}
const seed = (cloud: TestCloud, values: Parameters<typeof seedFederation>[3] = {}) =>
  seedFederation(state(cloud), owner(cloud), clusterOf(cloud, 'cluster1'), { name: 'fed', ...values })
const members = (cloud: TestCloud, name = 'fed') => {
  const found = [...state(cloud).store.federations.values()].find(f => f.name === name)
  return (found?.member_ids ?? []).map(id => state(cloud).store.clusters.get(id)?.name ?? id)
}
const writes = (cloud: TestCloud) =>
  cloud.sandbox.log.writes().map(e => `${e.method} ${e.url.replace(/[0-9a-f-]{36}/g, 'UUID')}`)

describe('on a Magnum that keeps federations', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await cloudOf({ federation: 'working' })
  })
  beforeEach(() => {
    state(cloud).store.federations.clear()
    cloud.sandbox.log.clear()
  })

  it('goes the whole way: create, update, join, show, unjoin, delete', async () => {
    const made = await cloud.run('federation create myfederation --hostcluster cluster1')
    expect(made.out).toMatch(/^Request to create federation [0-9a-f-]{36} accepted\n$/)
    expect(made.err).toContain('DNS zone federation.local; --dns-zone sets another')
    expect(made.code).toBe(0)

    const updated = await cloud.run('federation update --property dns=cluster.local myfederation')
    expect(updated).toMatchObject({
      code: 0,
      out: 'Request to update federation myfederation has been accepted.\n',
    })

    const joined = await cloud.run('federation join myfederation cluster2 cluster3')
    expect(joined).toMatchObject({
      code: 0,
      out: 'Cluster cluster2 joined federation myfederation\nCluster cluster3 joined federation myfederation\n',
    })

    const list = await cloud.run('federation list -c name -c members -c status')
    expect(list.out.split('\n').slice(1, 4)).toEqual([
      '| name         | members | status          |',
      '+--------------+---------+-----------------+',
      '| myfederation |       2 | UPDATE_COMPLETE |',
    ])

    const left = await cloud.run('federation unjoin myfederation cluster3')
    expect(left).toMatchObject({ code: 0, out: 'Cluster cluster3 left federation myfederation\n' })
    expect(members(cloud, 'myfederation')).toEqual(['cluster2'])

    const { out } = await cloud.run('federation show myfederation')
    const rows = out.split('\n').map(line => line.split('|').map(cell => cell.trim()))
    expect(rows.slice(1, -2).map(r => r[1])).toEqual(
      ['Property', undefined, 'uuid', 'name', 'hostcluster', 'members', 'project_id', 'properties', 'status'].concat(
        'status_reason',
      ),
    )
    expect(out).toContain('Value')
    expect(rows.find(r => r[1] === 'hostcluster')?.[2]).toBe(clusterOf(cloud, 'cluster1').uuid)
    expect(rows.find(r => r[1] === 'members')?.[2]).toBe(`['${clusterOf(cloud, 'cluster2').uuid}']`)
    expect(rows.find(r => r[1] === 'properties')?.[2]).toBe('dns-zone=federation.local,dns=cluster.local')
    expect(rows.find(r => r[1] === 'project_id')?.[2]).toBe(owner(cloud).projectId)

    const gone = await cloud.run('federation delete myfederation --yes --wait')
    expect(gone).toMatchObject({ code: 0, out: 'Federation myfederation is deleted.\n' })
    expect((await cloud.run('federation list -f json')).out.trim()).toBe('[]')
  })

  it('gives objects and lists in JSON, and more of them with --long', async () => {
    const fed = seed(cloud, { member_ids: [clusterOf(cloud, 'cluster2').uuid] })
    const shown = JSON.parse((await cloud.run('federation show fed -f json')).out)
    expect(shown).toEqual({
      uuid: fed.uuid,
      name: 'fed',
      hostcluster: clusterOf(cloud, 'cluster1').uuid,
      members: [clusterOf(cloud, 'cluster2').uuid],
      project_id: owner(cloud).projectId,
      properties: { 'dns-zone': 'example.com.' },
      status: 'CREATE_COMPLETE',
      status_reason: null,
    })
    expect(JSON.parse((await cloud.run('federation list -f json')).out)).toEqual([
      { uuid: fed.uuid, name: 'fed', hostcluster: fed.hostcluster_id, members: 1, status: 'CREATE_COMPLETE' },
    ])
    const [long] = JSON.parse((await cloud.run('federation list --long -f json')).out)
    expect(Object.keys(long)).toEqual([
      ...[
        'uuid',
        'name',
        'hostcluster',
        'members',
        'status',
        'hostcluster_id',
        'member_ids',
        'properties',
        'status_reason',
      ],
      ...['created_at', 'updated_at'],
    ])
    expect(long.member_ids).toEqual([clusterOf(cloud, 'cluster2').uuid])
  })

  it('takes the DNS zone from the option, the property or config.yaml, in silence or told', async () => {
    const zone = async (line: string, env = {}) => {
      state(cloud).store.federations.clear()
      const { err, code } = await cloud.run(`federation create z --host cluster1 ${line}`, { env })
      const [made] = state(cloud).store.federations.values()
      return { code, zone: made?.properties?.['dns-zone'], told: err.includes('DNS zone') }
    }
    expect(await zone('--dns-zone a.example')).toEqual({ code: 0, zone: 'a.example', told: false })
    expect(await zone('--property dns-zone=b.example')).toEqual({ code: 0, zone: 'b.example', told: false })
    expect(await zone('--property dns-zone=b.example --dns-zone a.example')).toMatchObject({ code: 2 })
    const { mkdir, writeFile } = await import('node:fs/promises')
    await mkdir(`${cloud.home}/settings`, { recursive: true })
    await writeFile(`${cloud.home}/settings/config.yaml`, 'federation:\n  dns_zone: c.example\n')
    const env = { COE_CONFIG_DIR: `${cloud.home}/settings` }
    expect(await zone('', env)).toEqual({ code: 0, zone: 'c.example', told: true })
  })

  it('believes a server that takes ten seconds to store it', async () => {
    const slow = await cloudOf({ federation: 'working', timing: { federationStore: 10_000 } })
    const { code, out } = await slow.run('federation create late --hostcluster cluster1 -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'late', result: 'created', status: 'CREATE_IN_PROGRESS' })
  })

  it('waits for CREATE_COMPLETE with --wait, and fails with the reason', async () => {
    const made = await cloud.run('federation create ok --host cluster1 --wait -f json')
    expect(JSON.parse(made.out)).toMatchObject({ status: 'CREATE_COMPLETE', result: 'created' })
    const failed = await cloud.run('federation create fail-create-1 --host cluster1 --wait')
    expect(failed.code).toBe(1)
    expect(failed.err).toContain(
      'federation "fail-create-1" is CREATE_FAILED: the sandbox was asked to fail: fail-create-1',
    )
    const stuck = await cloud.run('federation create stuck --host cluster1 --wait --wait-timeout 90s')
    expect(stuck.code).toBe(7)
    expect(stuck.err).toContain('gave up waiting for federation "stuck" to be complete after 90s')
    expect(stuck.err).toContain('last seen: CREATE_IN_PROGRESS')
  })

  it('changes nothing when it is run again, and refuses other settings', async () => {
    await cloud.run('federation create again --host cluster1 --dns-zone a.example --wait')
    cloud.sandbox.log.clear()
    const again = await cloud.run('federation create again --hostcluster cluster1')
    expect(again.code).toBe(0)
    expect(again.out).toMatch(/^Federation again exists already \([0-9a-f-]{36}\): unchanged\n$/)
    expect(writes(cloud)).toEqual([])
    const zone = await cloud.run('federation create again --host cluster1 --dns-zone b.example')
    expect(zone.code).toBe(5)
    expect(zone.err).toContain('hint: change them with: coe federation update --property dns-zone=b.example again')
    const blank = await cloud.run(['federation', 'create', 'again', '--host', 'cluster1', '--property', 'note=a b'])
    expect(blank.err).toContain("coe federation update --property 'note=a b' again")
    const empty = await cloud.run(['federation', 'create', '', '--host', 'cluster1', '--dry-run'])
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('"" is neither a name nor a uuid')])
    const host = await cloud.run('federation create again --host cluster2')
    expect(host.code).toBe(5)
    expect(host.err).toContain('exists already on another host')
  })

  it('settles a create whose answer was lost by looking', async () => {
    cloud.sandbox.faults.order({ method: 'POST', path: /^\/v1\/federations$/, effect: { kind: 'reset-after' } })
    const { code, out } = await cloud.run('federation create lost --host cluster1')
    cloud.sandbox.faults.clear()
    expect(code).toBe(0)
    expect(out).toContain('accepted')
    expect(writes(cloud)).toEqual(['POST /v1/federations'])
    expect(state(cloud).store.federations.size).toBe(1)
  })

  it('joins one at a time: no PATCH before the one before is saved, and none that clears the list', async () => {
    seed(cloud)
    const { code } = await cloud.run('federation join fed cluster2 cluster3 cluster4')
    expect(code).toBe(0)
    expect(members(cloud)).toEqual(['cluster2', 'cluster3', 'cluster4'])
    const patches = cloud.sandbox.log.all().filter(e => e.method === 'PATCH')
    const looks = cloud.sandbox.log.all().filter(e => e.method === 'GET')
    expect(patches).toHaveLength(3)
    for (const [i, patch] of patches.entries()) {
      const next = patches[i + 1]
      if (!next) continue
      expect(next.startedAt - (patch.endedAt ?? Number.NaN)).toBeGreaterThanOrEqual(state(cloud).timing.federation)
      expect(looks.some(l => l.number > patch.number && l.number < next.number)).toBe(true)
    }
  })

  it('says what is so already, and goes on after what fails', async () => {
    seed(cloud, { member_ids: [clusterOf(cloud, 'cluster2').uuid] })
    const { code, out, err } = await cloud.run('federation join fed cluster2 clutser3 cluster4 -f json')
    expect(code).toBe(6)
    expect(JSON.parse(out)).toEqual([
      { cluster: 'cluster2', result: 'unchanged', reason: null },
      {
        cluster: 'clutser3',
        result: 'failed',
        reason: 'no cluster "clutser3" in cloud "envvars", project demo',
      },
      { cluster: 'cluster4', result: 'joined', reason: null },
    ])
    expect(err).toContain('did you mean \\"cluster3\\"')
    const alone = await cloud.run('federation join fed clutser3')
    expect(alone.code).toBe(3)
    const not = await cloud.run('federation unjoin fed cluster3')
    expect(not).toMatchObject({ code: 0, out: 'Cluster cluster3 is not a member of federation fed: nothing to do\n' })
  })

  it('waits for a change of somebody else before its own', async () => {
    const fed = seed(cloud, { status: 'UPDATE_IN_PROGRESS' })
    const { clock } = cloud.sandbox
    clock.after(6_000, () => Object.assign(fed, { status: 'UPDATE_COMPLETE', updated_at: clock.now() }))
    const before = clock.now()
    expect((await cloud.run('federation join fed cluster2')).code).toBe(0)
    const [patch] = cloud.sandbox.log.writes()
    expect((patch?.startedAt ?? 0) - before).toBeGreaterThanOrEqual(6_000)
  })

  it('takes out a member whose cluster is gone, by its place and only that one', async () => {
    const lost = '5f3e2f0e-0000-4000-8000-000000000001'
    seed(cloud, { member_ids: [clusterOf(cloud, 'cluster2').uuid, lost, clusterOf(cloud, 'cluster3').uuid] })
    const hint = await cloud.run('federation unjoin fed prod')
    expect(hint.err).toContain(`hint: remove members whose clusters were deleted by uuid: ${lost}`)
    const { code, out, err } = await cloud.run(['--trace', 'federation', 'unjoin', 'fed', lost, 'cluster3'])
    expect(code).toBe(0)
    expect(err).toContain('[{"op":"remove","path":"/member_ids/1"}]')
    expect(err).toContain(`[{"op":"remove","path":"/member_ids","value":"${clusterOf(cloud, 'cluster3').uuid}"}]`)
    expect(err).not.toContain('"path":"/member_ids"}')
    expect(out).toBe(`Cluster ${lost} left federation fed\nCluster cluster3 left federation fed\n`)
    expect(members(cloud)).toEqual(['cluster2'])
  })

  it('does not call a join done that somebody else undid at the same time', async () => {
    const fed = seed(cloud)
    const [two, three] = ['cluster2', 'cluster3'].map(name => clusterOf(cloud, name).uuid) as [string, string]
    let stored: string[] = []
    // a change that was computed before cluster2 was in the list, and is saved with cluster3's
    const set = (list: string[]) => {
      stored = list.includes(three) ? [three] : list
    }
    Object.defineProperty(fed, 'member_ids', { get: () => stored, set, enumerable: true })
    const { code, out, err } = await cloud.run('federation join fed cluster2 cluster3')
    expect(code).toBe(6)
    expect(out).toBe('Cluster cluster3 joined federation fed\n')
    expect(err).toContain('"cluster2" joined, but is no longer a member')
    expect(stored).not.toContain(two)
  })

  it('knows that a federation takes clusters of its own project only, whatever an administrator sees', async () => {
    const { projects, users } = cloud.sandbox.openstack.accounts
    const other = { projectId: projects.alt.id, userId: users.alt.id }
    const foreign = await seedCluster(state(cloud), other, seedTemplate(state(cloud), other), { name: 'foreign' })
    seed(cloud, { member_ids: [foreign.uuid] })
    const admin = cloud.as('admin', 'demo')
    expect((await admin('federation unjoin fed foreign')).code).toBe(0)
    expect(members(cloud)).toEqual([])
    const { code, err } = await admin('federation join fed foreign')
    expect(code).toBe(3)
    expect(err).toContain('to another project')
  })

  it('names the state that a failed change left', async () => {
    seed(cloud, { name: 'fail-update-1' })
    const { code, err } = await cloud.run('federation join fail-update-1 cluster2')
    expect(code).toBe(1)
    expect(err).toContain('federation "fail-update-1" is UPDATE_FAILED: the sandbox was asked to fail')
    expect(members(cloud, 'fail-update-1')).toEqual([])
  })

  it('updates only what is not so already', async () => {
    seed(cloud, { properties: { 'dns-zone': 'a', x: '1', y: '2' } })
    const { code } = await cloud.run('federation update fed --property x=1 --property z=3 --unset-property y --wait')
    expect(code).toBe(0)
    const [fed] = state(cloud).store.federations.values()
    expect(fed?.properties).toEqual({ 'dns-zone': 'a', x: '1', z: '3' })
    cloud.sandbox.log.clear()
    const again = await cloud.run('federation update fed --property x=1 --unset-property y')
    expect(again).toMatchObject({ code: 0, out: 'Federation fed already has these properties: unchanged\n' })
    expect(writes(cloud)).toEqual([])
    const odd = await cloud.run('federation update fed --property __proto__=1 --wait')
    expect(odd.code).toBe(0)
    const { properties } = JSON.parse((await cloud.run('federation show fed -f json')).out)
    expect(Object.entries(properties)).toContainEqual(['__proto__', '1'])
  })

  it('sends --rollback along', async () => {
    seed(cloud)
    await cloud.run('federation update fed --property x=1 --rollback')
    expect(writes(cloud)).toEqual(['PATCH /v1/federations/UUID?rollback=True'])
  })

  it('deletes several, goes on after one that is missing, and asks on a terminal', async () => {
    seed(cloud, { name: 'a' })
    seed(cloud, { name: 'b' })
    const some = await cloud.run('federation delete a nope b --yes --wait')
    expect(some.code).toBe(6)
    expect(some.out.split('\n').sort()).toEqual(['', 'Federation a is deleted.', 'Federation b is deleted.'])
    expect(some.err).toContain('no federation "nope"')
    const missing = await cloud.run('federation delete nope --yes')
    expect(missing.code).toBe(3)
    const ignored = await cloud.run('federation delete nope --yes --ignore-not-found -f json')
    expect(ignored.code).toBe(0)
    expect(JSON.parse(ignored.out)).toEqual([{ federation: 'nope', uuid: null, result: 'missing' }])

    seed(cloud, { name: 'c' })
    const offTty = await cloud.run('federation delete c')
    expect(offTty.code).toBe(2)
    expect(offTty.err).toContain('--yes')
    const no = await cloud.run('federation delete c', { tty: true, input: 'n\n' })
    expect(no.code).toBe(1)
    expect(no.err).toContain('Delete federation "c"?')
    expect(state(cloud).store.federations.size).toBe(1)
    const yes = await cloud.run('federation delete c', { tty: true, input: 'y\n' })
    expect(yes.code).toBe(0)
    expect(yes.out).toContain('Request to delete federation c has been accepted.')
  })

  it('reports a deletion that fails', async () => {
    seed(cloud, { name: 'fail-delete-1' })
    const { code, err } = await cloud.run('federation delete fail-delete-1 --yes --wait')
    expect(code).toBe(1)
    expect(err).toContain('DELETE_FAILED')
  })

  it('shows what a dry run would send, and sends nothing', async () => {
    const fed = seed(cloud, { member_ids: [clusterOf(cloud, 'cluster2').uuid] })
    const url = `${cloud.sandbox.magnumUrl}/federations`
    const said = async (line: string) => (await cloud.run(`federation ${line} --dry-run`)).out.trim()
    expect(await said('create new --host cluster1 --dns-zone a')).toBe(
      `Would POST ${url} ${JSON.stringify({
        name: 'new',
        hostcluster_id: clusterOf(cloud, 'cluster1').uuid,
        properties: { 'dns-zone': 'a' },
      })}`,
    )
    expect(await said('delete fed')).toBe(`Would DELETE ${url}/${fed.uuid}`)
    expect(await said('update fed --property a=b --rollback')).toBe(
      `Would PATCH ${url}/${fed.uuid}?rollback=True [{"op":"add","path":"/properties/a","value":"b"}]`,
    )
    const id = (name: string) => clusterOf(cloud, name).uuid
    expect((await said('join fed cluster2 cluster3')).split('\n')).toEqual([
      'Cluster cluster2 is already a member of federation fed: nothing to do',
      `Would PATCH ${url}/${fed.uuid} [{"op":"add","path":"/member_ids","value":"${id('cluster3')}"}]`,
    ])
    const json = JSON.parse((await cloud.run('federation unjoin fed cluster2 --dry-run -f json')).out)
    expect(json[0].planned).toEqual([
      {
        action: 'PATCH',
        target: `${url}/${fed.uuid}`,
        body: [{ op: 'remove', path: '/member_ids', value: id('cluster2') }],
      },
    ])
    expect(writes(cloud)).toEqual([])
  })

  it('keeps a cluster that a federation needs', async () => {
    seed(cloud, { member_ids: [clusterOf(cloud, 'cluster2').uuid] })
    const host = await cloud.run('cluster delete cluster1')
    expect(host.code).toBe(5)
    expect(host.err).toContain('cluster "cluster1" is the host of federation "fed"')
    const member = await cloud.run('cluster delete cluster2')
    expect(member.code).toBe(5)
    expect(member.err).toContain('remove it first: coe federation unjoin fed cluster2\n')
    expect(writes(cloud)).toEqual([])
  })

  it('does not delete a cluster when the federations cannot be seen for a failure', async () => {
    cloud.sandbox.faults.order({ path: /^\/v1\/federations/, effect: { kind: 'answer', status: 500 } })
    const { code, err } = await cloud.run('cluster delete cluster4')
    cloud.sandbox.faults.clear()
    expect(code).toBe(1)
    expect(err).toContain('coe could not check whether it is in a federation')
    expect(writes(cloud)).toEqual([])
  })

  it('tells two of one name apart by their uuids', async () => {
    const twins = [seed(cloud, { name: 'twin' }), seed(cloud, { name: 'twin' })]
    const { code, err } = await cloud.run('federation show twin')
    expect(code).toBe(5)
    expect(err).toContain('"twin" is the name of 2 federations')
    for (const { uuid } of twins) expect(err).toContain(uuid)
  })

  it('suggests the name that was meant', async () => {
    seed(cloud, { name: 'myfederation' })
    const { code, err } = await cloud.run('federation join myfederaton cluster2')
    expect(code).toBe(3)
    expect(err).toContain('did you mean "myfederation"?')
  })
})

describe('on a Magnum that keeps none', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await cloudOf({ federation: 'facade' })
  })

  it('finds out within 15 seconds, and shows the line that does it', async () => {
    const before = cloud.sandbox.clock.now()
    const { code, out, err } = await cloud.run('federation create myfed --hostcluster cluster1')
    const took = cloud.sandbox.clock.now() - before
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('this Magnum has the federation API without an implementation')
    expect(err).toContain('coe --standalone federation create myfed --host magnum:cluster1')
    expect(took).toBeGreaterThanOrEqual(15_000)
    expect(took).toBeLessThan(20_000)
  })

  it('shows a line that finds the same cloud when an option named it', async () => {
    const { OS_AUTH_URL: auth_url, OS_USERNAME: username, OS_PASSWORD: password } = cloud.env
    const auth = {
      auth_url,
      username,
      password,
      project_name: 'demo',
      user_domain_name: 'Default',
      project_domain_name: 'Default',
    }
    const file = join(cloud.home, 'clouds.yaml')
    await writeFile(file, JSON.stringify({ clouds: { 'my cloud': { auth } } }), { mode: 0o600 })
    const line = ['--os-cloud', 'my cloud', 'federation', 'create', 'myfed', '--hostcluster', 'cluster1']
    const { err } = await cloud.run(line, { env: { OS_CLIENT_CONFIG_FILE: file } })
    expect(err).toContain("coe --os-cloud 'my cloud' --standalone federation create myfed --host magnum:cluster1")
  })

  it('tells it to machines', async () => {
    const { err } = await cloud.run('-q federation create myfed --hostcluster cluster1 -f json')
    expect(JSON.parse(err).error).toMatchObject({ code: 'failed', exit_code: 1, facade: true })
  })

  it.each([
    'show nope',
    'join nope cluster1',
    'unjoin nope cluster1',
    'update nope --property a=b',
    'delete nope --yes',
  ])('federation %s: not there, and hardly ever is', async line => {
    const { code, err } = await cloud.run(`federation ${line}`)
    expect(code).toBe(3)
    expect(err).toContain('no federation "nope" in cloud "envvars", project demo')
    expect(err).toContain('most Magnums cannot store any')
  })

  it('does not call a change done that left no trace', async () => {
    seed(cloud, { name: 'row' })
    const joined = await cloud.run('federation join row cluster2 cluster3')
    expect(joined.code).toBe(1)
    expect(joined.err).toContain('Magnum accepted the change of federation "row", but did nothing')
    expect(joined.err).toContain('join of "cluster3" was not tried')
    expect(cloud.sandbox.log.writes().filter(e => e.method === 'PATCH')).toHaveLength(1)
    expect((await cloud.run('federation delete row --yes')).code).toBe(1)
  })
})

describe('a line that cannot be meant', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await cloudOf({ clusters: 1 })
  })
  beforeEach(() => cloud.sandbox.log.clear())

  it.each([
    ['create f', '"coe federation create" needs --hostcluster'],
    ['create f --hostcluster a --hostcluster b', 'a federation has one host, but a and b are given'],
    ['create f --hostcluster a --host a', '--host is the same option'],
    ['create f --host a --property x', '"x" is not of the form KEY=VALUE'],
    ['create f --host a --property x=1 --property x=2', '"x" is given more than once'],
    ['update f', 'nothing to update'],
    ['update f --rollback', 'nothing to update'],
    ['update f --property a=1 --unset-property a', '"a" cannot be set and removed at once'],
    ['update f --property a.b=1', 'Magnum cannot change the property "a.b"'],
    ['update f --unset-property a/b', 'Magnum cannot change the property "a/b"'],
    ['join f', '"coe federation join" needs <cluster>'],
    ['create f --host kube:c1', 'coe --standalone federation create f --host kube:c1'],
    ['join f magnum:c1', 'coe --standalone federation join f magnum:c1'],
  ])('federation %s', async (line, says) => {
    const { code, out, err } = await cloud.run(`federation ${line}`)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(says)
    expect(cloud.sandbox.log.all().filter(e => e.service === 'magnum')).toEqual([])
  })
})
