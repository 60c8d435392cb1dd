/** The life of a federation, by the driver and the plan engine, on simulated clusters. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeAccess } from '../../../src/config/kubeconfig/kubeconfig.ts'
import { nextStep } from '../../../src/core/next-step.ts'
import { systemClock } from '../../../src/core/time.ts'
import { makeDriverApi } from '../../../src/drivers/coe-api.ts'
import type { FederationDriver, FederationSite, JoinRequest } from '../../../src/drivers/driver-api.ts'
import { makeRegistry } from '../../../src/drivers/registry.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../../src/kube/api/object.ts'
import { viewPlan } from '../../../src/plan/dry-run.ts'
import { runPlan } from '../../../src/plan/engine.ts'
import { runRemoval } from '../../../src/plan/remove.ts'
import type { Plan } from '../../../src/plan/step.ts'
import { definitionArchive } from '../../../src/sandbox/karmada/definition-archive.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminAccess, connectAdmin, failureOf, kubeWorld, recordingReport } from '../../support/kube.ts'

let folder: string
let sandbox: KubeSandbox
let driver: FederationDriver
let host: ClusterApi
let site: FederationSite
const members = new Map<string, { api: ClusterApi; access: KubeAccess }>()
const signal = new AbortController().signal
const resume = nextStep('resume', 'federation create', 'myfed')
const options = { resume }
const secrets: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coe-driver-'))
  const { archive, digest } = definitionArchive()
  await writeFile(join(folder, 'karmada-crds-v1.18.2.tar.gz'), archive)
  sandbox = await startKubeSandbox({
    members: 2,
    timings: { clusterProbe: 100, clusterFailure: 50, clusterCleanup: 300, workRetry: 40 },
  })
  const coe = makeDriverApi({
    world: kubeWorld({ env: { COE_CRDS_DIGEST: digest } }),
    userAgent: 'coe/test',
    signal,
    addSecret: value => void secrets.push(value),
    folders: { assets: folder, cache: undefined },
  })
  const registry = makeRegistry({ coe, folders: [], disabled: [] })
  driver = (await registry.federations(await registry.defaultFederations())).federations
  host = await connectAdmin(sandbox.host)
  for (const name of ['c2', 'c3']) {
    const cluster = sandbox.cluster(name)
    members.set(name, { api: await connectAdmin(cluster), access: await adminAccess(cluster) })
  }
  const labels = { 'coe/federation': 'myfed', 'coe/federation-uuid': 'u-1' }
  site = {
    name: 'myfed',
    uuid: 'u-1',
    namespace: 'coe-fed-myfed',
    host,
    hostTitle: 'host "host"',
    creation: resume,
    settings: driver.settings({ expose: 'nodeport' }),
    owner: { what: 'federation', labels, key: 'coe/federation-uuid' },
    signal,
  }
  await host.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: site.namespace, labels } })
})
afterAll(async () => {
  await sandbox?.close()
  await rm(folder, { recursive: true, force: true })
})

const operation = () => ({ wait: true, waitTimeoutMs: 60_000, dryRun: false, signal, report: recordingReport() })
const opened = () => driver.open(site)
const run = (plan: Plan) => runPlan(plan, { op: operation(), clock: systemClock, resume })

const request = async (name: string): Promise<JoinRequest> => {
  const { api, access } = members.get(name) as { api: ClusterApi; access: KubeAccess }
  const extraObjects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mark', namespace: 'kube-system' } }]
  return {
    name,
    member: api,
    access,
    uid: await api.identity(),
    labels: { tier: 'lab' },
    region: 'north',
    extraObjects,
  }
}
const joinMember = async (name: string) => run(await opened().join(await request(name), options))
const memberApi = (name: string) => members.get(name)?.api as ClusterApi

const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
}
const toBoth: KubeObject = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    placement: { clusterAffinity: { clusterNames: ['c2', 'c3'] } },
  },
}
const webRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }
const until = async (look: () => Promise<boolean>) => {
  while (!(await look())) await systemClock.sleep(50, AbortSignal.timeout(10_000))
}

describe('a federation', () => {
  it('can be shown before creation: every object, no key, and nothing is written', async () => {
    const view = await viewPlan(await opened().create(options), signal)
    const text = JSON.stringify(view)
    expect(view.steps.map(s => s.id)).toContain('verification')
    expect(text).not.toContain('PRIVATE KEY')
    expect(text).not.toContain(Buffer.from('-----BEGIN PRIVATE').toString('base64').slice(0, 20))
    expect(text).toContain('<known after certificates>')
    expect((await host.list({ apiVersion: 'v1', kind: 'Service' }, { namespace: site.namespace })).items).toEqual([])
  })

  it('is created and verified, and reports its health', async () => {
    const result = await run(await opened().create(options))
    expect(result.changed).toBe(true)
    const health = await opened().health()
    expect(health.api).toMatchObject({ reachable: true })
    expect(health.components.filter(c => !c.ready)).toEqual([])
    expect(health.components.map(c => c.name)).toContain('etcd')
    expect(health.certificates.every(c => c.days_left > 300 && !c.due)).toBe(true)
    expect(health.members).toEqual([])
  })

  it('stays unchanged when created again: no new certificate, no new pod', async () => {
    const pods = async () =>
      (await host.list({ apiVersion: 'v1', kind: 'Pod' }, { namespace: site.namespace })).items
        .map(p => p.metadata.uid)
        .sort()
    const before = await pods()
    const result = await run(await opened().create(options))
    expect(result.steps.filter(s => s.result === 'created' || s.result === 'removed')).toEqual([])
    expect(await pods()).toEqual(before)
  })

  it('gives another user access under their own name, with only the rights of their roles', async () => {
    const access = await opened().grant({ user: 'ann', groups: ['dev'], days: 1 })
    expect(access.cert).toContain('BEGIN CERTIFICATE')
    const { connectCluster, inlineAccess } = await import('../../../src/kube/access/connect.ts')
    const api = connectCluster(inlineAccess(access), { world: kubeWorld(), userAgent: 'coe/test' })
    expect(await failureOf(api.list({ apiVersion: 'v1', kind: 'Secret' }))).toMatchObject({ outcome: 'denied' })
  })

  it('joins members, which become Ready, and runs workloads on them', async () => {
    await Promise.all(['c2', 'c3'].map(joinMember))
    const found = await opened().members()
    expect(found.map(m => [m.name, m.ready, m.region, m.labels.tier])).toEqual([
      ['c2', true, 'north', 'lab'],
      ['c3', true, 'north', 'lab'],
    ])
    const { connectCluster, inlineAccess } = await import('../../../src/kube/access/connect.ts')
    const api = connectCluster(inlineAccess(await opened().access()), { world: kubeWorld(), userAgent: 'coe/test' })
    for (const object of [shop, web, toBoth]) await api.apply(object)
    for (const name of ['c2', 'c3']) await until(() => memberApi(name).exists(webRef))
    expect(await opened().holdings('c2')).toEqual({ workloads: ['Deployment shop/web'], namespaces: ['shop'] })
  })

  it('refuses a predictable failure before it writes anything', async () => {
    const findings = async (changes: Partial<JoinRequest>) =>
      (await opened().preflightJoin({ ...(await request('c2')), server: undefined, ...changes })).findings.map(
        f => f.id,
      )
    expect(await findings({ name: 'c3x', server: 'https://10.0.0.2:6443' })).toEqual(['uid'])
    expect(await findings({ name: 'c3', uid: 'other', server: 'https://10.0.0.2:6443' })).toEqual(['name'])
    expect(await findings({ name: 'Big_Name', server: 'https://10.0.0.2:6443' })).toEqual(['name'])
    const { access } = await request('c2')
    expect(await findings({ access: { ...access, server: 'https://127.0.0.1:6443' } })).toEqual(['address'])
    expect(await findings({ server: 'http://10.0.0.2:6443' })).toEqual(['address'])
    expect(await findings({ server: '10.0.0.2' })).toEqual(['address'])
  })

  it('releases a member with its workloads, by its own credentials alone, and leaves nothing else there', async () => {
    await run(await opened().unjoin({ name: 'c2', workloads: 'keep', force: false }, options))
    const kept = await memberApi('c2').get(webRef)
    expect(kept?.metadata.labels).toEqual({ app: 'web' })
    expect(Object.keys(kept?.metadata.annotations ?? {}).filter(key => key.includes('karmada'))).toEqual([])
    const mark = { apiVersion: 'v1', kind: 'ConfigMap', name: 'mark', namespace: 'kube-system' }
    await until(async () => !(await memberApi('c2').exists(mark)))
    await until(
      async () => !(await memberApi('c2').exists({ apiVersion: 'v1', kind: 'Namespace', name: 'karmada-cluster' })),
    )
    expect((await opened().members()).map(m => m.name)).toEqual(['c3'])
  })

  it('removes the workloads on request', async () => {
    const member = memberApi('c3')
    await run(await opened().unjoin({ name: 'c3', workloads: 'delete', force: false, member }, options))
    expect(await member.exists(webRef)).toBe(false)
    expect(await opened().members()).toEqual([])
  })

  it('has registered every key that it used as a secret', () => {
    expect(secrets.some(s => s.includes('PRIVATE KEY'))).toBe(true)
  })

  it('is deleted, and leaves nothing on the host', async () => {
    await runRemoval(await opened().remove({ resume, keepData: false }), {
      op: operation(),
      clock: systemClock,
      resume,
    })
    for (const kind of ['Pod', 'Service', 'Secret', 'PersistentVolumeClaim']) {
      const { items } = await host.list(
        { apiVersion: 'v1', kind },
        { namespace: site.namespace, labels: 'coe/federation=myfed' },
      )
      expect(items.map(i => i.metadata.name)).toEqual([])
    }
  })
})
