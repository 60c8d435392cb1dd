/** Ctrl-C and its like while a request that changes something is under way: which one it was, and how to see what came of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedFederation } from '../../../src/sandbox/openstack/seed.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import type { RunResult } from '../../support/run.ts'

let cloud: TestCloud
let uuids: Record<string, string>
beforeAll(async () => {
  cloud = await startCloud({ clusters: 3, federation: 'working', tls: false, magnumMax: '1.14' })
  const { accounts, state } = cloud.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  uuids = Object.fromEntries([...state.store.clusters.values()].map(c => [c.name, c.uuid]))
  const host = state.store.clusters.get(uuids.cluster1 as string)
  if (host) seedFederation(state, owner, host, { name: 'fed' })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.sandbox.faults.clear())

/** The server has the request and keeps its answer; then the signal comes. */
async function stopped(
  line: string,
  { method = /POST|PATCH|DELETE/, path = /^\/v1\//, signal = 'SIGINT', requests = 1 },
): Promise<RunResult> {
  const asked = cloud.sandbox.faults.order({
    service: 'magnum',
    method,
    path,
    times: 9,
    effect: { kind: 'silence-after' },
  })
  const controller = new AbortController()
  const run = cloud.run(line, { interrupt: controller.signal })
  await expect.poll(() => asked.hits, { interval: 5 }).toBe(requests)
  controller.abort(signal)
  return run
}
const plain = (text: string) =>
  text.replace(/[\da-f]{8}-[\da-f-]{27}/g, id => Object.keys(uuids).find(name => uuids[name] === id) ?? 'UUID')

describe('a change that is stopped while its request is under way', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('by %s says that Magnum may do it, and the line that looks', async (signal, expected) => {
    const name = `new-${signal.toLowerCase()}`
    const { code, out, err } = await stopped(`cluster create ${name} --cluster-template k8s`, { signal })
    expect({ code, out }).toEqual({ code: expected, out: '' })
    expect(err).toBe(
      `coe: stopped while the request to create cluster "${name}" was on its way: Magnum may carry it out\n` +
        `hint: see whether it did: coe cluster show ${name}\n`,
    )
    // and so it did
    expect((await cloud.run(`cluster show ${name}`)).code).toBe(0)
  })

  it.each([
    ['cluster update cluster1 --node-count 4', 'update cluster "cluster1"', 'cluster show cluster1'],
    ['cluster resize cluster2 4', 'resize cluster "cluster2"', 'cluster show cluster2'],
    ['cluster upgrade cluster3 k8s', 'upgrade cluster "cluster3"', 'cluster show cluster3'],
    [
      'cluster template create t2 --image fedora-coreos-38 --external-network public --coe kubernetes',
      'create cluster template "t2"',
      'cluster template show t2',
    ],
    ['cluster template delete t2', 'delete cluster template "t2"', 'cluster template show t2'],
    [
      'nodegroup create cluster1 more',
      'create node group "more" of cluster "cluster1"',
      'nodegroup show cluster1 more',
    ],
    [
      'nodegroup delete cluster1 more',
      'delete node group "more" of cluster "cluster1"',
      'nodegroup show cluster1 more',
    ],
    ['ca rotate cluster1', 'rotate the CA of cluster "cluster1"', 'cluster show cluster1'],
    ['credential rotate cluster1', 'rotate the credentials of cluster "cluster1"', 'cluster show cluster1'],
    ['federation create f2 --host cluster1', 'create federation "f2"', 'federation show f2'],
    ['federation join fed cluster2', 'update federation "UUID"', 'federation show UUID'],
    ['federation delete fed --yes', 'delete federation "UUID"', 'federation show UUID'],
  ])('%s names it', async (line, doing, look) => {
    cloud.sandbox.clock.advance(60_000)
    const { code, err } = await stopped(line, {})
    expect(code).toBe(130)
    expect(plain(err)).toContain(`coe: stopped while the request to ${doing} was on its way: Magnum may carry it out\n`)
    expect(plain(err)).toContain(`hint: see whether it did: coe ${look}\n`)
  })

  it('names the quota as well', async () => {
    const asked = cloud.sandbox.faults.order({ method: 'POST', path: /quotas/, effect: { kind: 'silence-after' } })
    const controller = new AbortController()
    const project = cloud.sandbox.openstack.accounts.projects.demo.id
    const line = `quotas create --project-id ${project} --resource Cluster --hard-limit 9`
    const run = cloud.as('admin')(line, { interrupt: controller.signal })
    await expect.poll(() => asked.hits, { interval: 5 }).toBe(1)
    controller.abort()
    const { code, err } = await run
    expect([code, err]).toEqual([
      130,
      expect.stringContaining(`see whether it did: coe quotas show --project-id ${project}`),
    ])
  })

  it('names each of several', async () => {
    for (const name of ['d1', 'd2']) await cloud.run(`cluster create ${name} --cluster-template k8s`)
    cloud.sandbox.clock.advance(60_000)
    const { code, err } = await stopped('cluster delete d1 d2 --wait --force', { method: /DELETE/, requests: 2 })
    expect(code).toBe(130)
    expect(err.match(/stopped while the request to delete cluster "/g)).toHaveLength(2)
    expect(err.match(/see whether it did: coe cluster show /g)).toHaveLength(2)
  })

  it('is JSON where the result would be', async () => {
    const { err } = await stopped('cluster create j1 --cluster-template k8s -f json', {})
    expect(JSON.parse(err)).toMatchObject({
      error: {
        code: 'interrupted',
        exit_code: 130,
        under_way: 'create cluster "j1"',
        hint: expect.stringContaining('show j1'),
      },
    })
  })

  it('what only reads is just stopped', async () => {
    const { code, err } = await stopped('cluster list', { method: /GET/ })
    expect([code, err]).toEqual([130, 'coe: stopped\n'])
  })
})

describe('a wait that is stopped', () => {
  it.each([
    ['nodegroup create cluster1 waited --wait', 'coe nodegroup show cluster1 waited'],
    ['federation create f3 --host cluster1 --wait', 'coe federation show f3'],
  ])('of %s says what goes on', async (line, look) => {
    cloud.sandbox.clock.advance(60_000)
    const path = /nodegroups\/[\da-f]{8}-|federations\/[\da-f]/
    const { code, err } = await stopped(line, { method: /GET/, path })
    expect(code).toBe(130)
    expect(err).toContain(`Magnum continues the change\nto check again, run: ${look}\n`)
  })
})
