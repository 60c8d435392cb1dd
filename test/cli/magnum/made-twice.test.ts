/** Several creates of one name at the same time: Magnum makes them all, and coe says which is the first. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1, federation: 'working', tls: false, timing: { clusterStore: 300 } })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.sandbox.faults.clear())

const store = () => cloud.sandbox.openstack.state.store
const named = (kind: 'clusters' | 'templates' | 'federations', name: string) =>
  [...store()[kind].values()].filter(one => one.name === name).map(one => one.uuid)

/** All have looked, and found nothing, before the first of them creates. */
async function atOnce(lines: readonly string[], path: RegExp) {
  let release = () => {}
  const until = new Promise<void>(resolve => {
    release = resolve
  })
  const posts = cloud.sandbox.faults.order({
    service: 'magnum',
    method: 'POST',
    path,
    times: lines.length,
    effect: { kind: 'hold', until },
  })
  const runs = lines.map((line, i) => cloud.run(line, { pid: 100 + i }))
  await expect.poll(() => posts.hits, { interval: 5 }).toBe(lines.length)
  release()
  return Promise.all(runs)
}

describe('coe cluster create, several at once', () => {
  it.each([
    ['--if-not-exists', 'again'],
    ['--if-not-exists --wait', 'waited'],
    ['', 'plain'],
  ])('%s: the first is done, the others fail and say which one they are to delete', async (option, name) => {
    const line = `cluster create ${name} --cluster-template k8s ${option}`
    const runs = await atOnce([line, line, line], /\/clusters$/)
    const uuids = named('clusters', name)
    expect(uuids).toHaveLength(3)
    expect(runs.map(r => r.code).sort()).toEqual([0, 5, 5])
    for (const { code, out, err } of runs) {
      const own = /Request to create cluster (\S+) accepted/.exec(out)?.[1]
      expect(uuids).toContain(own)
      if (code === 0) expect(own).toBe(uuids[0])
      else {
        expect(err).toMatch(/^coe: cluster "\w+" was created [23] times at once: the first is /m)
        expect(err).toContain(`the first is ${uuids[0]}, and this run created ${own}`)
        expect(err).toContain(`hint: delete the later one: coe cluster delete ${own}`)
      }
    }
    // the hint does it
    for (const uuid of uuids.slice(1)) expect((await cloud.run(`cluster delete ${uuid} --wait`)).code).toBe(0)
    expect((await cloud.run(`cluster show ${name} -f value -c uuid`)).out).toBe(`${uuids[0]}\n`)
  })

  it('the first tells of the later ones that it sees', async () => {
    const line = 'cluster create seen --cluster-template k8s --if-not-exists'
    const late = cloud.sandbox.faults.order({
      method: 'GET',
      path: /clusters\/seen$/,
      nth: 3,
      effect: { kind: 'delay', ms: 300 },
    })
    const runs = await atOnce([line, line], /\/clusters$/)
    expect(late.hits).toBe(1)
    const all = runs.map(r => r.err).join('')
    expect(all).toContain(`the first is ${named('clusters', 'seen')[0]}`)
  })

  it('takes the first of several that were there before, and says so', async () => {
    for (let n = 0; n < 2; n++) {
      await cloud.run('cluster create two --cluster-template k8s --allow-duplicate')
      cloud.sandbox.clock.advance(60_000)
    }
    const uuids = named('clusters', 'two')
    const { code, out, err } = await cloud.run('cluster create two --cluster-template k8s --if-not-exists')
    expect([code, out]).toEqual([0, `Cluster two exists already (${uuids[0]}): unchanged\n`])
    expect(err).toContain(`cluster "two" 2 times (${uuids.join(', ')}): this is the first`)
  })

  it('does not fail over a look that fails', async () => {
    cloud.sandbox.faults.order({
      path: /clusters\/unseen$/,
      nth: 2,
      times: 99,
      effect: { kind: 'answer', status: 500 },
    })
    const { code, out } = await cloud.run('cluster create unseen --cluster-template k8s')
    expect([code, out]).toEqual([0, expect.stringMatching(/^Request to create cluster .* accepted\n$/)])
  })
})

it('coe cluster template create finds out the same', async () => {
  const line =
    'cluster template create t --coe kubernetes --image fedora-coreos-38 --external-network public --if-not-exists'
  const runs = await atOnce([line, line], /clustertemplates$/)
  const [first, second] = named('templates', 't')
  expect(runs.map(r => r.code).sort()).toEqual([0, 5])
  expect(runs.find(r => r.code === 5)?.err).toContain(`the first is ${first}, and this run created ${second}`)
  expect(runs.find(r => r.code === 5)?.err).toContain(`coe cluster template delete ${second}`)
})

it('coe federation create finds out the same', async () => {
  const line = 'federation create f --host cluster1'
  const runs = await atOnce([line, line], /\/federations$/)
  const [first, second] = named('federations', 'f')
  expect(runs.map(r => r.code).sort()).toEqual([0, 5])
  expect(runs.find(r => r.code === 5)?.err).toContain(`the first is ${first}, and this run created ${second}`)
  expect(runs.find(r => r.code === 5)?.err).toContain(`coe federation delete ${second}`)
})
