/**
 * Members whose keys were replaced under the federation: the token in the Secret is refused, or the certificate is another
 * authority's, while the federation still says Ready. A join mends that, and an unjoin does not wait for what cannot happen.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { loadKubeconfig, resolveContext } from '../../../../src/config/kubeconfig/kubeconfig.ts'
import { poll } from '../../../../src/core/poll.ts'
import { systemClock } from '../../../../src/core/time.ts'
import { connectCluster } from '../../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { decoded } from '../../../../src/kube/api/object.ts'
import {
  configMap,
  configMapPolicy,
  connectAdmin,
  connectOptions,
  kubeWorld,
  namespaceObject,
} from '../../../support/kube.ts'
import { renewContext } from '../../../support/replaced-keys.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
beforeEach(async () => {
  // a real federation holds on to Ready for half a minute after a member has begun to refuse it
  lab = await startLab({ members: 1, timings: { clusterFailure: 30_000, clusterProbe: 300 } })
  await ok('federation create shop --host host --expose nodeport --storage emptydir')
  await ok('federation join shop c2')
})
afterEach(() => lab.close())

async function ok(line: string): Promise<string> {
  const { code, out, err } = await lab.run(line)
  expect(code, `${line}\n${out}${err}`).toBe(0)
  return out
}
const c2 = () => lab.sandbox.cluster('c2')
const token = { apiVersion: 'v1', kind: 'Secret', name: 'karmada-c2', namespace: 'karmada-cluster' }
const tokenOf = async () => decoded(await (await connectAdmin(c2())).get(token), 'token')
async function federationApi(): Promise<ClusterApi> {
  const world = kubeWorld({ env: lab.env, home: lab.home })
  return connectCluster(await resolveContext(world, await loadKubeconfig(world), 'shop'), connectOptions())
}
/** The proof that its controllers work with the keys that they have now. */
async function reaches(name: string): Promise<void> {
  const federation = await federationApi()
  if (!(await federation.exists({ apiVersion: 'v1', kind: 'Namespace', name: 'store' }))) {
    await federation.create(namespaceObject('store'))
    await federation.create(configMapPolicy('store', ['c2']))
  }
  await federation.create(configMap(name, 'store', { a: 'b' }))
  const member = await connectAdmin(c2())
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'store' }
  const look = async () => (await member.exists(ref)) || undefined
  await poll(look, { clock: systemClock, timeoutMs: 20_000, intervalMs: 50, what: `${name} on the member` })
}

async function replace(what: string): Promise<void> {
  if (what !== 'authority') c2().rotateServiceAccountKey()
  if (what !== 'key') {
    await c2().rotateAuthority()
    await renewContext(lab.kubeconfig, c2())
  }
}

describe.each(['key', 'authority', 'key and authority'])('a member whose %s was replaced', what => {
  it('is mended by a join, which is believed only when the federation has seen it with the new keys', async () => {
    await reaches('before')
    const before = await tokenOf()
    await replace(what)
    expect(await ok('federation members shop -f value -c name -c ready')).toBe('c2 True\n')
    expect(await ok('federation join shop c2 --dry-run')).not.toContain('unchanged: nothing')
    expect(await tokenOf()).toBe(before)
    expect(await ok('federation join shop c2')).toBe('Cluster c2 joined federation shop\n')
    if (what === 'authority') expect(await tokenOf()).toBe(before)
    else expect(await tokenOf()).not.toBe(before)
    await reaches('after')
    expect(await ok('federation join shop c2')).toContain('nothing to do')
  })

  it('leaves at once by the access of the user', async () => {
    await reaches('before')
    await replace(what)
    await ok('federation unjoin shop c2 --workloads delete --yes')
    const member = await connectAdmin(c2())
    const there = (name: string) => member.exists({ apiVersion: 'v1', kind: 'Namespace', name })
    // deleted with the member's leave, and gone when the member's own controller has emptied it
    await expect.poll(() => there('store')).toBe(false)
    expect(await there('karmada-cluster')).toBe(false)
  })
})

it('a Ready of before the keys does not count, also when a join was cut off in between', async () => {
  c2().rotateServiceAccountKey()
  const fault = lab.sandbox.faults.order({
    service: 'karmada:coe-fed-shop',
    path: /\/clusters\/c2\/status/,
    method: 'PATCH',
    times: 100,
    effect: { kind: 'answer', status: 403 },
  })
  expect((await lab.run('federation join shop c2')).code).toBe(1)
  fault.remove()
  expect(await ok('federation join shop c2')).toContain('joined')
  await reaches('after')
})

it('without an access of the user, nothing is begun, and the way out is named', async () => {
  c2().rotateServiceAccountKey()
  const { KUBECONFIG } = lab.env
  const config = parse(await readFile(KUBECONFIG as string, 'utf8'))
  config.contexts = config.contexts.filter((c: { name: string }) => c.name !== 'c2')
  await writeFile(`${lab.home}/without`, stringify(config))
  const { code, err } = await lab.run('federation unjoin shop c2', { env: { KUBECONFIG: `${lab.home}/without` } })
  expect(code).toBe(5)
  expect(err).toContain('member "c2" no longer accepts the keys of the federation')
  expect(err).toContain('HTTP 401')
  expect(err).toContain('coe --standalone federation unjoin shop c2 --force')
  expect(await ok('federation members shop -f value -c name -c ready')).toBe('c2 True\n')
})

it('an unjoin by force and a new join heal it, too', async () => {
  c2().rotateServiceAccountKey()
  await ok('federation unjoin shop c2 --force --yes')
  expect(await ok('federation join shop c2')).toContain('Cluster c2 joined')
  await reaches('after')
})

it('a member that goes on signing with a key that it does not check is told', async () => {
  c2().rotateServiceAccountKey('API server')
  const { code, err } = await lab.run('federation join shop c2 --wait-timeout 3s')
  expect(code).toBe(7)
  expect(err).toContain('the member refuses the token of the federation (HTTP 401)')
  expect(err).toContain('does it sign with the key that its API server checks with')
})

it('where the federation has an address of its own, the API server is asked what it thinks of the token', async () => {
  await ok(`federation join shop c2 --cluster-server ${c2().url.replace(/127[.\d]+/, 'localhost')} --dry-run`)
  const before = await tokenOf()
  lab.sandbox.log.clear()
  c2().rotateServiceAccountKey()
  await lab.run(`federation join shop c2 --cluster-server ${c2().url}/ --wait-timeout 20s`)
  expect(lab.sandbox.log.all().some(({ url }) => url.includes('tokenreviews'))).toBe(true)
  expect(await tokenOf()).not.toBe(before)
})

describe('a member made anew under its old name', () => {
  beforeEach(async () => renewContext(lab.kubeconfig, await lab.sandbox.remake('c2')))
  const way = 'coe --standalone federation unjoin shop c2 --force'

  it('is no member: join and unjoin name what helps, and that helps', async () => {
    const join = await lab.run('federation join shop c2')
    expect(join.code).toBe(5)
    expect(join.err).toContain('was recreated')
    expect(join.err).toContain(way)
    const unjoin = await lab.run('federation unjoin shop c2')
    expect(unjoin.code).toBe(5)
    expect(unjoin.err).toContain(way)
    await ok('federation unjoin shop c2 --force --yes')
    expect(await ok('federation join shop c2')).toContain('Cluster c2 joined')
    await reaches('after')
    await ok('federation status shop')
  })
})
