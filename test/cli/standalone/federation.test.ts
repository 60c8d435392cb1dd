import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

const create = 'federation create myfed --host host --expose nodeport'
const kubeconfig = () => readFile(lab.kubeconfig, 'utf8')

describe('a federation, from nothing to nothing', () => {
  it('is planned without a write', async () => {
    const had = await kubeconfig()
    const r = await lab.run(`${create} --dry-run`)
    expect(r).toMatchObject({ code: 0 })
    expect(r.out).toContain('Nothing was changed')
    expect(r.out).toContain('Deployment coe-fed-myfed/karmada-apiserver')
    expect(lab.objects()).toEqual(lab.before)
    expect(await kubeconfig()).toBe(had)
  })

  it('is made, and its context written beside the current one', async () => {
    const r = await lab.run(create)
    expect(r).toMatchObject({ code: 0 })
    expect(r.out).toContain('kubectl --context myfed get clusters')
    expect(await kubeconfig()).toMatch(/current-context: host\n/)
  })

  it('is the same when it is made again, whatever is left out', async () => {
    const r = await lab.run('federation create myfed --host host -f json')
    expect(r.code).toBe(0)
    expect(JSON.parse(r.out)).toMatchObject({ name: 'myfed', result: 'unchanged' })
  })

  it('takes no other settings for what cannot be changed', async () => {
    const r = await lab.run('federation create myfed --hostcluster host --storage emptydir')
    expect(r.code).toBe(5)
    expect(r.err).toContain('--storage')
  })

  it('plans a join without a write, and joins two side by side', async () => {
    const had = lab.objects()
    const plan = await lab.run('federation join myfed c2 --dry-run -f json')
    expect(plan.code).toBe(0)
    expect(
      JSON.parse(plan.out)[0]
        .planned.map((p: { target: string }) => p.target)
        .join(),
    ).toContain('ConfigMap kube-system/coe-membership')
    expect(lab.objects()).toEqual(had)
    const r = await lab.run('federation join myfed c2 c3 --label tier=test --concurrency 2')
    expect(r.out).toBe('Cluster c2 joined federation myfed\nCluster c3 joined federation myfed\n')
    expect(r.code).toBe(0)
  })

  it('has members that are Ready, and knows them again', async () => {
    const again = await lab.run('federation join myfed c2 c3')
    expect(again.out).toContain('Cluster c2 is already a member of federation myfed: nothing to do')
    const members = JSON.parse((await lab.run('federation members myfed --long -f json')).out)
    expect(members).toMatchObject([
      { name: 'c2', ready: true, labels: { tier: 'test' } },
      { name: 'c3', ready: true },
    ])
    expect(JSON.parse((await lab.run('federation members myfed --not-ready -f json')).out)).toEqual([])
  })

  it('is listed and shown from its own record', async () => {
    const [listed] = JSON.parse((await lab.run('federation list -f json')).out)
    expect(listed).toMatchObject({ name: 'myfed', members: 2, status: 'UPDATE_COMPLETE' })
    const shown = JSON.parse((await lab.run('federation show myfed -f json')).out)
    expect(shown).toMatchObject({ uuid: listed.uuid, hostcluster: 'host', members: ['c2', 'c3'], project_id: null })
    const byUuid = JSON.parse((await lab.run(`federation show ${listed.uuid} --host host -f json`)).out)
    expect(byUuid).toEqual(shown)
  })

  it('is found by somebody else, who has neither context nor index', async () => {
    const other = `${lab.home}/other`
    const { writeFile } = await import('node:fs/promises')
    await writeFile(other, lab.sandbox.kubeconfig)
    const env = { KUBECONFIG: other, COE_STATE_DIR: `${lab.home}/elsewhere` }
    expect((await lab.run('federation show myfed -f value -c name', { env })).out).toBe('myfed\n')
    const merged = await lab.run('federation kubeconfig myfed --merge --context-name theirs', { env })
    expect([merged.code, merged.err]).toEqual([0, expect.stringContaining('kubectl --context theirs get clusters')])
    expect(await readFile(other, 'utf8')).toContain('name: theirs')
  })

  it('is healthy, and says so', async () => {
    const r = await lab.run('federation status myfed -f json')
    const rows = JSON.parse(r.out) as { part: string; healthy: boolean }[]
    expect(rows.filter(row => row.healthy !== true)).toEqual([])
    expect(new Set(rows.map(row => row.part))).toEqual(
      new Set(['federation', 'api', 'component', 'member', 'certificate']),
    )
    expect(r.code).toBe(0)
  })

  it('knows its members while its API says nothing, and that it cannot tell how they are', async () => {
    const path = /cluster\.karmada\.io/
    const silent = lab.sandbox.faults.order({
      path,
      times: Number.POSITIVE_INFINITY,
      effect: { kind: 'answer', status: 500 },
    })
    const r = await lab.run('federation members myfed --not-ready --long -f json')
    const status = await lab.run('federation status myfed -f json')
    silent.remove()
    expect([r.code, r.err]).toEqual([
      1,
      expect.stringContaining('does not answer, so the state of its members is unknown'),
    ])
    expect(JSON.parse(r.out)).toMatchObject([
      { name: 'c2', ready: null, reason: "unknown: the federation's API does not answer", labels: { tier: 'test' } },
      { name: 'c3', ready: null },
    ])
    expect(status.code).toBe(1)
    expect(JSON.parse(status.out)).toContainEqual(
      expect.objectContaining({ part: 'member', name: 'c2', healthy: null }),
    )
  })

  it('misses a member that somebody has taken out of its API', async () => {
    const body = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'ClusterList', metadata: {}, items: [] }
    const empty = lab.sandbox.faults.order({
      path: /cluster\.karmada\.io/,
      times: Number.POSITIVE_INFINITY,
      effect: { kind: 'answer', status: 200, body },
    })
    const r = await lab.run('federation members myfed -f json')
    empty.remove()
    expect([r.code, r.err]).toEqual([0, ''])
    const reason = 'the federation no longer has it: join it again'
    expect(JSON.parse(r.out)).toMatchObject([
      { name: 'c2', ready: null, reason },
      { name: 'c3', ready: null, reason },
    ])
  })

  it('keeps properties', async () => {
    expect((await lab.run('federation update myfed --property team=a')).code).toBe(0)
    expect((await lab.run('federation update myfed --property team=a')).out).toContain('unchanged')
    expect(JSON.parse((await lab.run('federation show myfed -f json')).out).properties).toEqual({ team: 'a' })
    const again = 'federation create myfed --host host --property team=a -f value -c result'
    expect((await lab.run(again.replace('team=a', 'team=b'))).out).toBe('updated\n')
    expect((await lab.run(again)).out).toBe('updated\n')
    expect((await lab.run(again)).out).toBe('unchanged\n')
  })

  it('gives a kubeconfig to somebody by name', async () => {
    const r = await lab.run('federation kubeconfig myfed --user jane --group dev --ttl 30d')
    expect(r.out).toContain('client-certificate-data')
    expect(r.code).toBe(0)
  })

  it('puts the way of somebody else beside its own, not in its place', async () => {
    const contexts = async () => parse(await kubeconfig()).contexts as { name: string }[]
    const ofAdmin = (await contexts()).find(c => c.name === 'myfed')
    const r = await lab.run('federation kubeconfig myfed --user joe --merge')
    expect([r.code, r.err]).toEqual([0, expect.stringContaining('kubectl --context joe@myfed auth whoami')])
    expect((await contexts()).map(c => c.name)).toContain('joe@myfed')
    expect((await contexts()).find(c => c.name === 'myfed')).toEqual(ofAdmin)
  })

  it('is not deleted from under its members', async () => {
    const r = await lab.run('federation delete myfed --yes')
    expect(r.code).toBe(5)
    expect(r.err).toContain('has members: c2, c3\n')
    expect(r.err).toContain('federation unjoin myfed c2 c3')
  })

  it('lets a member go, by the name that it has in the federation', async () => {
    expect((await lab.run('federation unjoin myfed c3 --dry-run')).out).toContain('Nothing was changed')
    lab.sandbox.log.clear()
    expect((await lab.run('federation unjoin myfed c3')).out).toBe('Cluster c3 left federation myfed\n')
    // a real cluster's garbage collector may lag: what says whose rights are whose is not left to it
    const removed = lab.sandbox.log.writes().filter(r => r.method === 'DELETE' && /^coe/.test(r.agent))
    expect(removed.map(r => decodeURIComponent(r.url))).toContainEqual(
      expect.stringContaining('/clusterrolebindings/karmada-controller-manager:karmada-c3'),
    )
    for (const kind of ['clusterrolebindings', 'clusterroles'])
      expect(removed.map(r => r.url)).toContainEqual(expect.stringContaining(`/${kind}/coe-marks`))
    expect((await lab.run('federation unjoin myfed c3')).out).toContain('nothing to do')
    expect(lab.objects().c3).toEqual(lab.before.c3)
  })

  it('is deleted with the members that it has, and leaves nothing anywhere', async () => {
    expect((await lab.run('federation delete myfed --unjoin --dry-run --yes')).code).toBe(0)
    expect(await lab.run('federation delete myfed --unjoin --yes')).toMatchObject({
      code: 0,
      out: 'Federation myfed is deleted.\n',
    })
    expect(lab.objects()).toEqual(lab.before)
    expect(await kubeconfig()).not.toContain('myfed')
    expect((await lab.run('federation delete myfed --yes')).code).toBe(3)
    expect((await lab.run('federation delete myfed --yes --ignore-not-found')).code).toBe(0)
  })
})
