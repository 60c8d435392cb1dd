/** Pods that a host never admits: told at once and whole, however little is shown otherwise; and a size that fits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../../../src/kube/api/object.ts'
import { connectAdmin, namespaceObject } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
const namespace = 'team'
beforeAll(async () => {
  lab = await startLab({ members: 0 })
  host = await connectAdmin(lab.sandbox.host)
  await host.create(namespaceObject(namespace))
})
afterAll(() => lab.close())

const create = `federation create myfed --host host --expose nodeport --namespace ${namespace} --adopt`
const remove = () => lab.run('federation delete myfed --yes --ignore-not-found')
const quota = (hard: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team', namespace },
  spec: { hard },
})
const without = (kind: string, name = 'team') => host.delete({ apiVersion: 'v1', kind, name, namespace })
/** What it may take: a limit of minutes would have to come to its end. */
const soonMs = 12_000

async function inTime(line: string) {
  const began = Date.now()
  const r = await lab.run(line)
  expect(Date.now() - began).toBeLessThan(soonMs)
  return r
}

describe('a quota that is too small', () => {
  it('ends a creation at once, with all that the host says, under -q as well', async () => {
    await host.create(quota({ 'limits.memory': '1Gi' }))
    const r = await inTime(`${create} -q`)
    expect(r.code).toBe(1)
    expect(r.err).toContain(
      'StatefulSet team/etcd cannot become ready: its pods are refused: pods "etcd-0" is forbidden: exceeded quota: team, requested: limits.memory=2Gi, used: limits.memory=0, limited: limits.memory=1Gi',
    )
    expect(r.err).toContain('--resources')
  })

  it('is told by status', async () => {
    const r = await lab.run('federation status myfed')
    expect([r.code, r.out.replace(/[\s|]+/g, ' ')]).toEqual([1, expect.stringContaining('exceeded quota: team')])
  })

  it('refuses again, when nothing was changed meanwhile', async () => {
    const r = await inTime(create)
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('exceeded quota: team')])
  })

  it('takes the federation once it allows more: what was said before does not end it', async () => {
    await host.apply(quota({ 'limits.memory': '40Gi', 'limits.cpu': '40' }))
    const r = await inTime(create)
    expect([r.code, r.err]).toEqual([0, expect.any(String)])
    expect((await lab.run('federation status myfed')).code).toBe(0)
    expect((await remove()).code).toBe(0)
  })

  it('fits a small one', async () => {
    await host.apply(quota({ 'limits.memory': '4Gi', 'limits.cpu': '5' }))
    expect((await inTime(create)).err).toContain('exceeded quota')
    const r = await inTime(`${create} --resources small`)
    expect([r.code, r.err]).toEqual([0, expect.any(String)])
    expect((await remove()).code).toBe(0)
    await without('ResourceQuota')
  })
})

describe('a limit range', () => {
  it('that allows less ends it, and limits by component fit it', async () => {
    await host.create({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'team', namespace },
      spec: { limits: [{ type: 'Container', max: { memory: '3Gi' } }] },
    })
    const r = await inTime(create)
    expect(r.code).toBe(1)
    expect(r.err).toContain('is forbidden: maximum memory usage per Container is 3Gi, but limit is 4Gi')
    const fitting = await inTime(`${create} --limits karmada-apiserver:memory=3Gi`)
    expect([fitting.code, fitting.err]).toEqual([0, expect.any(String)])
    expect((await remove()).code).toBe(0)
    await without('LimitRange')
  })
})
