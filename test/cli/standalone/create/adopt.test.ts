/** What stands already where a federation is to be made: refused, and with --adopt taken over where it is nobody's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { configMap, connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
beforeAll(async () => {
  lab = await startLab({ members: 0 })
  host = await connectAdmin(lab.sandbox.host)
})
afterAll(() => lab.close())

const namespace = { apiVersion: 'v1', kind: 'Namespace', name: 'team-a' }
const create = 'federation create myfed --host host --expose nodeport --namespace team-a'
const names = async (kind: string) =>
  (await host.list({ apiVersion: 'v1', kind }, { namespace: 'team-a' })).items.map(i => i.metadata.name)

describe('a namespace that somebody made beforehand', () => {
  it('is refused, planned or not, and nothing is changed', async () => {
    const labels = { team: 'a', 'pod-security.kubernetes.io/enforce': 'baseline' }
    await host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a', labels } })
    await host.create(configMap('notes', 'team-a', { whose: 'theirs' }))
    const before = lab.objects()
    for (const more of ['', ' --dry-run']) {
      const r = await lab.run(`${create}${more}`)
      expect([r.code, r.err]).toEqual([5, expect.stringContaining('Take it over with --adopt')])
    }
    expect(lab.objects()).toEqual(before)
  })

  it('is taken over with --adopt, as it is', async () => {
    expect((await lab.run(`${create} --adopt --dry-run`)).code).toBe(0)
    const r = await lab.run(`${create} --adopt`)
    expect(r.code).toBe(0)
    const live = await host.get(namespace)
    expect(live?.metadata.labels).toMatchObject({ team: 'a', 'coe/federation': 'myfed' })
    expect((await lab.run(`${create} --adopt`)).out).toContain('unchanged')
    expect((await lab.run(create)).out).toContain('unchanged')
  })

  it('is not taken from the federation that it belongs to', async () => {
    const r = await lab.run('federation create other --host host --expose nodeport --namespace team-a --adopt')
    expect([r.code, r.err]).toEqual([5, expect.stringContaining('is that of federation "myfed"')])
  })

  it('stays when the federation goes, with all that is not of it, and without our mark', async () => {
    expect((await lab.run('federation delete myfed --yes')).code).toBe(0)
    const live = await host.get(namespace)
    expect(live?.metadata.labels).toEqual({
      team: 'a',
      'pod-security.kubernetes.io/enforce': 'baseline',
      'kubernetes.io/metadata.name': 'team-a',
    })
    expect(live?.metadata.annotations ?? {}).toEqual({})
    expect(await names('ConfigMap')).toEqual(expect.arrayContaining(['notes']))
    for (const kind of ['Service', 'Secret', 'PersistentVolumeClaim', 'Pod']) expect(await names(kind)).toEqual([])
    expect(await names('ConfigMap')).not.toContain('coe-federation')
  })

  it('that carries another federation’s mark is refused whatever is said', async () => {
    await host.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'coe-fed-b', labels: { 'coe/federation': 'a', 'coe/federation-uuid': 'u' } },
    })
    const r = await lab.run('federation create b --host host --expose nodeport --adopt')
    expect([r.code, r.err]).toEqual([5, expect.stringContaining('belongs to federation "a"')])
    expect(r.err).not.toContain('--adopt')
  })
})

describe('objects of the same names', () => {
  const service = (port: number) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'karmada-webhook', namespace: 'team-a' },
    spec: { selector: { app: 'theirs' }, ports: [{ name: 'x', port }] },
  })

  it('that nobody’s label is on are taken over, others’ fields too', async () => {
    await host.create(service(1234))
    const r = await lab.run(`${create} --adopt`)
    expect(r.code).toBe(0)
    const live = await host.get({ apiVersion: 'v1', kind: 'Service', name: 'karmada-webhook', namespace: 'team-a' })
    expect(live?.metadata.labels).toMatchObject({ 'coe/federation': 'myfed' })
    expect(live?.spec.ports.map((p: { port: number }) => p.port)).toContain(443)
  })

  it('of which somebody else has changed our fields since stop a creation, and --adopt takes them back', async () => {
    const ref = { apiVersion: 'v1', kind: 'Service', name: 'karmada-webhook', namespace: 'team-a' }
    await host.raw({
      method: 'PATCH',
      path: '/api/v1/namespaces/team-a/services/karmada-webhook',
      query: { fieldManager: 'kubectl-edit' },
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { selector: { app: 'mine' } } }),
    })
    const refused = await lab.run(create)
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('kubectl-edit')])
    expect(refused.err).toContain('--adopt takes it back')
    expect((await lab.run(`${create} --adopt`)).code).toBe(0)
    expect((await host.get(ref))?.spec.selector.app).not.toBe('mine')
    expect((await lab.run('federation delete myfed --yes')).code).toBe(0)
  })

  it('without --adopt are refused, in a namespace that is the federation’s own', async () => {
    await host.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'coe-fed-c', labels: { 'coe/federation': 'c', 'coe/federation-uuid': 'u-1' } },
    })
    await host.create({ ...service(1), metadata: { name: 'karmada-webhook', namespace: 'coe-fed-c' } })
    const r = await lab.run('federation create c --host host --expose nodeport')
    expect([r.code, r.err]).toEqual([5, expect.stringContaining('take it over with --adopt')])
    expect((await lab.run('federation create c --host host --expose nodeport --adopt')).code).toBe(0)
  })
})
