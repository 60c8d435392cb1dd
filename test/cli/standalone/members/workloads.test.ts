/** What a federation has put on a member, when that member leaves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadKubeconfig, resolveContext } from '../../../../src/config/kubeconfig/kubeconfig.ts'
import { poll } from '../../../../src/core/poll.ts'
import { systemClock } from '../../../../src/core/time.ts'
import { connectCluster } from '../../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { conditionOf, type KubeObject, refOf } from '../../../../src/kube/api/object.ts'
import {
  configMap,
  configMapPolicy,
  connectAdmin,
  connectOptions,
  kubeWorld,
  namespaceObject,
} from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let federation: ClusterApi
let c2: ClusterApi
beforeAll(async () => {
  lab = await startLab()
  expect((await lab.run('federation create shop --host host --expose nodeport')).code).toBe(0)
  expect((await lab.run('federation join shop c2 c3')).code).toBe(0)
  const world = kubeWorld({ env: lab.env, home: lab.home })
  federation = connectCluster(await resolveContext(world, await loadKubeconfig(world), 'shop'), connectOptions())
  c2 = await connectAdmin(lab.sandbox.cluster('c2'))
  await c2.create(namespaceObject('store'))
  await c2.create(configMap('taken', 'store', { made: 'by hand' }))
  await federation.create(namespaceObject('store'))
  for (const name of ['prices', 'taken'])
    await federation.create(configMap(name, 'store', { made: 'in the federation' }))
  await federation.create(configMapPolicy('store', ['c2', 'c3']))
  await until('the prices on both, and a refusal for what was there', async () => {
    const [prices, works] = await Promise.all([there('prices'), worksOf('c2')])
    const refused = works.some(w => /already exists in the cluster/.test(conditionOf(w, 'Applied')?.message ?? ''))
    return (prices && refused) || undefined
  })
})
afterAll(() => lab.close())

const until = (what: string, look: () => Promise<true | undefined>) =>
  poll(look, { clock: systemClock, timeoutMs: 60_000, intervalMs: 50, what })
const there = (name: string) => c2.get({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'store' })
const worksOf = async (member: string) =>
  (
    await federation.list(
      { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' },
      { namespace: `karmada-es-${member}` },
    )
  ).items

describe('before it is deleted', () => {
  it('--dry-run shows it, and what --workloads keep would leave', async () => {
    const gone = await lab.run('federation unjoin shop c2 --workloads delete --dry-run')
    expect(gone).toMatchObject({ code: 0 })
    expect(gone.out).toContain('will be DELETED on c2, with everything else in these namespaces: ')
    expect(gone.out).toContain('  ConfigMap store/prices')
    const kept = await lab.run('federation unjoin shop c2 --dry-run')
    expect(kept.out).toContain('stays on c2: ')
    const rows = JSON.parse((await lab.run('federation unjoin shop c2 --workloads delete --dry-run -f json')).out)
    expect(rows[0].planned).toContainEqual({ action: 'delete', target: 'ConfigMap store/prices on member "c2"' })
    expect(rows[0].planned).toContainEqual({ action: 'delete', target: 'Namespace store on member "c2"' })
  })

  it('it is shown to whoever is asked, and a no changes nothing', async () => {
    const r = await lab.run('federation unjoin shop c2 --workloads delete', { tty: true, input: 'n\n' })
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('ConfigMap store/prices')])
    expect(r.err).toContain('nothing was changed')
    expect(await there('prices')).toBeDefined()
  })

  it('nothing is looked up where nobody can be asked', async () => {
    const asked = () => lab.sandbox.log.all().filter(request => request.agent.startsWith('coe/')).length
    const before = asked()
    const r = await lab.run('federation unjoin shop c2 --workloads delete')
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('--yes')])
    expect(asked()).toBe(before)
  })
})

it('what the engine declined to put there does not hold up the leaving, and stays as it was', async () => {
  const r = await lab.run('federation unjoin shop c2 --wait-timeout 30s')
  expect(r).toMatchObject({ code: 0, out: 'Cluster c2 left federation shop\n' })
  const taken = await there('taken')
  expect([taken?.data, taken?.metadata.labels ?? {}]).toEqual([{ made: 'by hand' }, {}])
  const prices = await there('prices')
  expect([prices?.data, prices?.metadata.labels ?? {}]).toEqual([{ made: 'in the federation' }, {}])
})

it('joined again, what it kept is its own, and it can leave again', async () => {
  expect((await lab.run('federation join shop c2')).code).toBe(0)
  await until('a refusal for each', async () => {
    const refused = (await worksOf('c2')).filter(w => conditionOf(w, 'Applied')?.status === 'False')
    return refused.length >= 2 || undefined
  })
  const r = await lab.run('federation unjoin shop c2 --wait-timeout 30s')
  expect(r).toMatchObject({ code: 0 })
  expect((await there('prices'))?.data).toEqual({ made: 'in the federation' })
})

it('is waited for no longer than is said, and what is there then is told', async () => {
  expect((await lab.run('federation join shop c2')).code).toBe(0)
  await until('a Work of it', async () => (await worksOf('c2')).length > 0 || undefined)
  const [work] = await worksOf('c2')
  const finalizers = [...(work?.metadata.finalizers ?? []), 'example.com/held']
  await federation.patch(refOf(work as KubeObject), { metadata: { finalizers } }, { type: 'merge' })
  const r = await lab.run('federation unjoin shop c2 --wait-timeout 1s')
  expect([r.code, r.err]).toEqual([7, expect.stringContaining('karmada-es-c2 are still there after 1s')])
  expect(r.err).toContain('to continue, run: coe --standalone federation unjoin shop c2')
  await federation.patch(refOf(work as KubeObject), { metadata: { finalizers: null } }, { type: 'merge' })
  expect((await lab.run('federation unjoin shop c2')).code).toBe(0)
})
