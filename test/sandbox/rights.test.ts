/** The roles of docs/rbac are enough for every verb, and contain no right that no verb uses. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { poll } from '../../src/core/poll.ts'
import { systemClock } from '../../src/core/time.ts'
import type { ClusterApi } from '../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../src/kube/api/object.ts'
import type { KubeCluster } from '../../src/sandbox/kube/cluster.ts'
import { connectAdmin, namespaceObject } from '../support/kube.ts'
import { type StandaloneLab, startLab } from '../support/standalone.ts'
import { type UsedRight, usedRights } from '../support/used-rights.ts'

const folder = fileURLToPath(new URL('../../docs/rbac/', import.meta.url))
const roles = (file: string): KubeObject[] =>
  parseAllDocuments(
    readFileSync(folder + file, 'utf8')
      .replaceAll('MEMBER', 'c2')
      .replaceAll('-NAMESPACE', '-coe-fed-myfed'),
  ).map(d => d.toJS())
const hostRoles = roles('host.yaml')
const memberRoles = roles('member.yaml')

const rbac = 'rbac.authorization.k8s.io'
const jane = { apiGroup: rbac, kind: 'User', name: 'jane' }

/** @param namespace in which a ClusterRole takes effect; everywhere if absent */
function binding(role: KubeObject, namespace = role.metadata.namespace): KubeObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
    metadata: { name: `jane-${role.metadata.name}`, ...(namespace ? { namespace } : {}) },
    roleRef: { apiGroup: rbac, kind: role.kind, name: role.metadata.name },
    subjects: [jane],
  } as KubeObject
}

let lab: StandaloneLab
let host: ClusterApi
let member: ClusterApi

beforeAll(async () => {
  lab = await startLab({ members: 1, loadBalancer: true, host: { nodes: 3 } })
  const [c2] = lab.sandbox.members
  if (!c2) throw new Error('the lab has no member')
  host = await connectAdmin(lab.sandbox.host)
  member = await connectAdmin(c2)
  for (const role of hostRoles) await host.apply(role)
  for (const role of memberRoles) await member.apply(role)
  const kubeconfig = parse(readFileSync(lab.kubeconfig, 'utf8'))
  for (const context of kubeconfig.contexts) {
    const cluster = context.name === 'host' ? lab.sandbox.host : c2
    kubeconfig.users.push({ name: `jane-${context.name}`, user: { token: cluster.staticToken('jane') } })
    context.context.user = `jane-${context.name}`
  }
  writeFileSync(lab.kubeconfig, stringify(kubeconfig))
})
afterAll(() => lab?.close())

async function ok(line: string): Promise<string> {
  const ended = await lab.run(line)
  expect(ended.code, `${line}\n${ended.out}${ended.err}`).toBe(0)
  return ended.out
}

const usedByCoe = (cluster: KubeCluster | undefined) =>
  usedRights((cluster?.log.all() ?? []).filter(request => request.agent.startsWith('coe/')))
const until = (what: string, look: () => Promise<boolean>) =>
  poll(async () => (await look()) || undefined, { clock: systemClock, timeoutMs: 30_000, intervalMs: 20, what })

describe('without rights', () => {
  it('the same refusal is reported each time, whichever answer comes first', async () => {
    for (const path of [/namespaces\/kube-system/, /configmaps/]) {
      const slow = lab.sandbox.faults.order({ path, times: Infinity, effect: { kind: 'delay', ms: 200 } })
      const { code, err } = await lab.run('federation create myfed --host host')
      slow.remove()
      expect(slow.hits).toBeGreaterThan(0)
      expect(code).toBe(4)
      expect(err).toContain('get namespaces')
    }
  })

  it('a creation and a join name all missing rights, and write nothing', async () => {
    await host.apply({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'sees' },
      rules: [{ apiGroups: [''], resources: ['namespaces', 'configmaps'], verbs: ['get', 'list'] }],
    } as KubeObject)
    await host.apply(binding({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'sees' } }))
    const before = lab.sandbox.host.log.writes().length
    const { code, err } = await lab.run('federation create myfed --host host')
    expect(code).toBe(4)
    expect(err).toContain('you may not watch/create/delete namespaces, nor ')
    expect(err).toContain('create/patch/deletecollection secrets in namespace coe-fed-myfed')
    expect(err).toContain('list nodes')
    expect(err).toContain('docs/rbac.md')
    expect(lab.sandbox.host.log.writes().length).toBe(before)
    await host.delete({ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', name: 'jane-sees' })
  })
})

describe('with the roles of docs/rbac', () => {
  it('every verb works', async () => {
    for (const role of hostRoles) await host.apply(binding(role))
    await host.apply({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 9,
    })
    await host.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'slow' },
      provisioner: 'example.com/slow',
      volumeBindingMode: 'Immediate',
    })
    const first = 'federation create myfed --host host --ha --network-policy --priority-class high'
    // no volume is provisioned: another class replaces the claims and the store
    const stop = new AbortController()
    const stopped = lab.run(`${first} --storage-class slow`, { interrupt: stop.signal })
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'data-etcd-0', namespace: 'coe-fed-myfed' }
    await until('the claim', () => host.exists(claim))
    stop.abort()
    expect((await stopped).code).toBe(130)
    // a real cluster keeps a claim until no pod uses it
    await host.patch(claim, { metadata: { finalizers: ['example.com/in-use'] } }, { type: 'merge' })
    const replaced = ok(`${first} --storage-class standard`)
    await until('a wait for the end of the claim', async () =>
      usedByCoe(lab.sandbox.host).some(u => u.verb === 'watch' && u.resource === 'persistentvolumeclaims'),
    )
    await host.patch(claim, { metadata: { finalizers: null } }, { type: 'merge' })
    await replaced
    await ok('federation create myfed --host host --driver-option network-policy=false')
    await ok('federation create myfed --host host --network-policy')
    await ok('federation create myfed --host host')
    const refused = await lab.run('federation join myfed c2')
    expect(refused.code).toBe(4)
    for (const role of memberRoles) await member.apply(binding(role))
    await ok('federation join myfed c2')
    await member.delete({ apiVersion: 'v1', kind: 'ServiceAccount', name: 'karmada-c2', namespace: 'karmada-cluster' })
    await ok('federation join myfed c2')
    await ok('federation list --host host')
    await ok('federation show myfed')
    await ok('federation status myfed')
    await ok('federation members myfed')
    await ok('federation update myfed --property a=b')
    await ok('federation kubeconfig myfed')
    await ok('federation unjoin myfed c2')
    await ok('federation join myfed c2')
    await ok('federation unjoin myfed c2 --workloads delete --yes')
    await ok('federation delete myfed --yes')
  })

  it('a prepared namespace needs no rights on others', async () => {
    for (const role of hostRoles) {
      await host.delete({ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', name: `jane-${role.metadata.name}` })
    }
    await host.apply(namespaceObject('teamspace'))
    for (const role of hostRoles) {
      const { name = '' } = role.metadata
      if (['coe-look', 'coe-manage', 'coe-own'].includes(name)) await host.apply(binding(role, 'teamspace'))
      if (name === 'coe-host') await host.apply(binding(role))
    }
    await ok('federation create team --host host --namespace teamspace --adopt')
    await ok('federation delete team --yes')
    const left = await host.get({ apiVersion: 'v1', kind: 'Namespace', name: 'teamspace' })
    expect(left?.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'teamspace' })
  })

  it('and each of these rights was used', () => {
    expect(unused(hostRoles, usedByCoe(lab.sandbox.host)).filter(right => !atTimes.includes(right))).toEqual([])
    expect(unused(memberRoles, usedByCoe(lab.sandbox.members[0])).filter(right => !atTimes.includes(right))).toEqual([])
  })
})

/** Only where somebody else is at work, a run takes long, a pod fails, a token is stale, or a garbage collector lags; a watch, where something is not gone at the first look. */
const atTimes = [
  'coe-look: get leases.coordination.k8s.io',
  'coe-look: get pods/log',
  'coe-look: list events',
  'coe-manage: get leases.coordination.k8s.io',
  'coe-manage: update leases.coordination.k8s.io',
  'coe-member: delete configmaps',
  'coe-member: delete secrets',
  'coe-member: watch namespaces',
  'coe-namespaces: watch namespaces',
  'coe-own: watch networkpolicies.networking.k8s.io',
]

function unused(granted: readonly KubeObject[], used: readonly UsedRight[]): string[] {
  return granted.flatMap(role =>
    (role.rules as { apiGroups: string[]; resources: string[]; verbs: string[] }[]).flatMap(rule =>
      rule.verbs
        .filter(verb => !['escalate', 'bind'].includes(verb)) // no requests of their own: the contract's access.test.ts has them
        .map(verb => ({ verb, resource: [rule.resources[0], rule.apiGroups[0]].filter(Boolean).join('.') }))
        .filter(right => !used.some(u => u.verb === right.verb && u.resource === right.resource))
        .map(({ verb, resource }) => `${role.metadata.name}: ${verb} ${resource}`),
    ),
  )
}
