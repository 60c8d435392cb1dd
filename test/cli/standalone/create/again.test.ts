/** A creation that is run again: sends nothing where all stands, and puts back what somebody has changed or taken away. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectCluster, inlineAccess } from '../../../../src/kube/access/connect.ts'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { connectAdmin, connectOptions } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let api: ClusterApi
const create = 'federation create myfed --host host'
beforeAll(async () => {
  lab = await startLab({ members: 0 })
  expect((await lab.run(`${create} --expose nodeport`)).code).toBe(0)
  const { parse } = await import('yaml')
  const { clusters, users } = parse((await lab.run('federation kubeconfig myfed')).out)
  const pem = (text: string) => Buffer.from(text, 'base64').toString()
  const access = {
    name: 'myfed',
    server: clusters[0].cluster.server,
    ca: pem(clusters[0].cluster['certificate-authority-data']),
    cert: pem(users[0].user['client-certificate-data']),
    key: pem(users[0].user['client-key-data']),
  }
  api = connectCluster(inlineAccess(access), connectOptions())
})
afterAll(() => lab.close())

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'propagationpolicies.policy.karmada.io',
}

/** What a run sent, but for what it does on its own behalf: its lock, its record, its Events. */
async function sent(line: string): Promise<{ code: number; out: string; requests: number; changes: string[] }> {
  lab.sandbox.log.clear()
  const { code, out } = await lab.run(line)
  const mine = lab.sandbox.log.all().filter(r => r.agent.startsWith('coe/'))
  const changes = mine.filter(r => r.changes && !/\/(leases|events|configmaps\/coe-federation)|dryRun=All/.test(r.url))
  return { code, out, requests: mine.length, changes: changes.map(r => `${r.method} ${r.url.split('?')[0]}`) }
}

it('changes nothing where all stands, and asks for little', async () => {
  const { code, out, requests, changes } = await sent(create)
  expect([code, changes]).toEqual([0, []])
  expect(out).toContain('unchanged')
  expect(requests).toBeLessThanOrEqual(40)
})

it('puts a kind back that is gone', async () => {
  await api.delete(definition)
  const { out, changes } = await sent(create)
  expect(out).toContain('Federation myfed is updated')
  expect(changes.some(c => c.endsWith('/propagationpolicies.policy.karmada.io'))).toBe(true)
  expect((await sent(create)).changes).toEqual([])
})

it('notices a kind that somebody has changed, asks whose word holds, and then knows it again', async () => {
  await api.raw({
    method: 'PATCH',
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.name}`,
    query: { fieldManager: 'somebody' },
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec: { names: { singular: 'theirs' } } }),
  })
  const refused = await lab.run(create)
  expect([refused.code, refused.err]).toEqual([5, expect.stringMatching(/somebody.*[\s\S]*--adopt takes it back/)])
  expect((await lab.run(`${create} --adopt`)).code).toBe(0)
  expect((await api.get(definition))?.spec.names.singular).toBe('propagationpolicy')
  expect((await sent(create)).changes).toEqual([])
})

it('does without the note of what was applied, and writes it again', async () => {
  const note = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-definitions', namespace: 'kube-system' }
  for (const spoil of [
    () => api.delete(note),
    () => api.patch(note, { data: { generations: 'no JSON' } }, { type: 'merge' }),
  ]) {
    await spoil()
    expect((await lab.run(`${create} --adopt`)).code).toBe(0)
    expect((await sent(create)).changes).toEqual([])
  }
})

it('puts back an object of the host, too', async () => {
  const host = await connectAdmin(lab.sandbox.host)
  const webhook = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'karmada-webhook', namespace: 'coe-fed-myfed' }
  await host.delete(webhook)
  expect((await sent(create)).out).toContain('updated')
  expect((await lab.run('federation status myfed')).code).toBe(0)
})
