import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/core/time.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { betweenLooks, pressCtrlC } from '../../support/ctrl-c.ts'
import { connectAdmin } from '../../support/kube.ts'
import type { RunOptions } from '../../support/run.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

/** Something happens when the wait sleeps first: then it was not so yet, and nothing comes too early. */
function whenItWaits(lab: Parameters<typeof betweenLooks>[0], happening: () => unknown): RunOptions {
  const { interrupt: _, ...rest } = betweenLooks(lab, 500, [happening])
  return rest
}

describe('standalone: coe federation wait', () => {
  let lab: StandaloneLab
  beforeAll(async () => {
    lab = await startLab()
    expect((await lab.run('federation create myfed --host host --expose nodeport')).code).toBe(0)
    expect((await lab.run('federation join myfed c2')).code).toBe(0)
  })
  afterAll(() => lab.close())

  it('is done at once when it is ready, and prints it under -f', async () => {
    const r = await lab.run('federation wait myfed')
    expect([r.code, r.out]).toEqual([0, 'Federation myfed is ready\n'])
    const json = await lab.run('federation wait myfed --for ready --host host -f json')
    expect(JSON.parse(json.out)).toMatchObject({ name: 'myfed', status: 'UPDATE_COMPLETE' })
  })

  it('waits for a component, and tells which', async () => {
    const api = await connectAdmin(lab.sandbox.host)
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'karmada-scheduler', namespace: 'coe-fed-myfed' }
    const scale = (replicas: number) => api.patch(ref, { spec: { replicas } }, { type: 'merge' })
    await scale(40)
    const r = await lab.run(
      'federation wait myfed',
      whenItWaits(lab, () => scale(1)),
    )
    expect([r.code, r.err]).toEqual([0, expect.stringContaining('myfed: karmada-scheduler: ')])
  })

  it('gives up in time, with what it saw last', async () => {
    const r = await lab.run('federation wait myfed --for member=c3 --wait-timeout 1s')
    expect([r.code, r.err]).toEqual([
      7,
      expect.stringContaining(
        'gave up waiting for federation "myfed" to have the member "c3" ready after 1s; last seen: "c3" is not a member',
      ),
    ])
  })

  it('waits for a member, by its context or by its name in the federation', async () => {
    const join = () => lab.run('federation join myfed c3 --cluster-name west')
    const r = await lab.run('federation wait myfed --for member=c3', whenItWaits(lab, join))
    expect([r.code, r.out]).toEqual([0, 'Cluster c3 is a ready member of federation myfed\n'])
    expect((await lab.run('federation wait myfed --for member=west')).code).toBe(0)
  })

  it('ends where a join was not finished: it does not come by itself', async () => {
    const api = await connectAdmin(lab.sandbox.host)
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-member-west', namespace: 'coe-fed-myfed' }
    await api.patch(ref, { data: { state: 'joining' } }, { type: 'merge' })
    const r = await lab.run('federation wait myfed --for member=west')
    expect([r.code, r.err]).toEqual([
      1,
      expect.stringMatching(
        /the join of "west" to federation "myfed" was not finished\nhint: finish it with: coe --standalone federation join myfed c3\n/,
      ),
    ])
  })

  it('ends where a creation was begun and nobody finishes it', async () => {
    const line = 'federation create begun --host c2 --expose nodeport --no-wait'
    expect((await lab.run(line)).code).toBe(0)
    const r = await lab.run('federation wait begun')
    expect([r.code, r.err]).toEqual([
      1,
      expect.stringMatching(
        /federation "begun" is CREATE_IN_PROGRESS: begun with --no-wait.*\nhint: finish it with: coe --standalone federation create begun --host c2\n/,
      ),
    ])
  })

  it('waits for a creation that another run is at work on', async () => {
    const { host } = lab.sandbox
    let release = () => {}
    const until = new Promise<void>(resolve => {
      release = resolve
    })
    const fault = host.faults.order({
      method: 'PATCH',
      path: /coe-fed-second\/deployments/,
      agent: /v99/,
      effect: { kind: 'hold', until },
    })
    const create = lab.run('federation create second --host host --expose nodeport', { node: 'v99' })
    while (fault.hits === 0) await setImmediate()
    // the creation renews its lock by the real clock: a faster one would take it for dead
    const clock = {
      now: () => Date.now(),
      async sleep(_: number, signal?: AbortSignal) {
        release()
        await systemClock.sleep(20, signal)
      },
    }
    const waiting = lab.run('federation wait second', { clock })
    const [made, waited] = await Promise.all([create, waiting])
    expect([made.code, waited.code, waited.out]).toEqual([0, 0, 'Federation second is ready\n'])
  })

  it('looks until it is gone; one that never was is gone as well', async () => {
    const gone = () => lab.run('federation delete second --yes')
    const r = await lab.run('federation wait second --for gone', whenItWaits(lab, gone))
    expect([r.code, r.out, r.err]).toEqual([
      0,
      'Federation second is gone\n',
      expect.stringContaining('second: CREATE_COMPLETE'),
    ])
    expect((await lab.run('federation wait second --for gone')).code).toBe(0)
    expect((await lab.run('federation wait second')).code).toBe(3)
  })

  it('is stopped by Ctrl-C', async () => {
    expect((await lab.run('federation wait myfed --for gone', pressCtrlC(lab))).code).toBe(130)
  })

  it.each([
    ['helthy', '--for: "helthy" is not one of ready, gone, member=CLUSTER'],
    ['deleted', 'did you mean "gone"?'],
    ['redy', 'did you mean "ready"?'],
    ['member', 'member= needs the name of a cluster: member=CLUSTER'],
    ['member=', 'member= needs the name'],
  ])('refuses --for %s', async (goal, says) => {
    const { code, err } = await lab.run(`federation wait myfed --for ${goal}`)
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
  })
})

describe('Magnum mode: coe federation wait', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await startCloud({ clusters: 4, tls: false, federation: 'working' })
    expect((await cloud.run('federation create fed --hostcluster cluster1')).code).toBe(0)
  })
  afterAll(() => cloud.close())

  it('waits until what goes on is complete', async () => {
    const r = await cloud.run('federation wait fed')
    expect([r.code, r.out]).toEqual([0, 'Federation fed is ready\n'])
    expect(JSON.parse((await cloud.run('federation wait fed -f json')).out)).toMatchObject({
      status: 'CREATE_COMPLETE',
    })
  })

  it('waits for a member, by name or uuid', async () => {
    const join = () => cloud.run('federation join fed cluster2')
    const r = await cloud.run('federation wait fed --for member=cluster2', whenItWaits(cloud, join))
    expect([r.code, r.out]).toEqual([0, 'Cluster cluster2 is a ready member of federation fed\n'])
    expect(r.err).toContain('"cluster2" is not a member')
    const uuid = (await cloud.run('cluster show cluster2 -f value -c uuid')).out.trim()
    expect((await cloud.run(`federation wait fed --for member=${uuid}`)).code).toBe(0)
    const late = await cloud.run('federation wait fed --for member=cluster3 --wait-timeout 1s')
    expect([late.code, late.err]).toEqual([7, expect.stringContaining('last seen: "cluster3" is not a member')])
  })

  it('has one place for federations', async () => {
    expect((await cloud.run('federation wait fed --host c1')).code).toBe(2)
  })

  it('ends when it failed', async () => {
    const { federations } = cloud.sandbox.openstack.state.store
    const [row] = [...federations.values()]
    Object.assign(row ?? {}, { status: 'UPDATE_FAILED', status_reason: 'no quota' })
    const r = await cloud.run('federation wait fed')
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('federation "fed" is UPDATE_FAILED: no quota')])
  })

  it('looks until it is gone', async () => {
    const gone = () => cloud.run('federation delete fed --yes')
    const r = await cloud.run('federation wait fed --for gone', whenItWaits(cloud, gone))
    expect([r.code, r.out, r.err]).toEqual([
      0,
      'Federation fed is gone\n',
      expect.stringContaining('fed: UPDATE_FAILED'),
    ])
    expect((await cloud.run('federation wait fed --for gone')).code).toBe(0)
    expect((await cloud.run('federation wait fed')).code).toBe(3)
  })
})
