/** With exactly the roles of docs/rbac, all verbs work; without them they are refused, by name, before anything is written. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { openPeople, type People } from './people.ts'
import type { Program } from './program.ts'
import { told } from './scene.ts'
import { workload } from './workload.ts'

let at: Clusters
let people: People
let owner: Program
let manager: Program
let looker: Program
let nobody: Program
let guest: Program
let prepared: string

const everywhere = (...roles: string[]) => roles.map(role => ({ on: 'host', role }))
const there = (namespace: string, ...roles: string[]) => roles.map(role => ({ on: 'host', role, namespace }))
const onMember = [
  { on: 'c2', role: 'coe-member' },
  { on: 'c2', role: 'coe-member', namespace: 'kube-system' },
]

beforeAll(async () => {
  if (!clustersThere) return
  at = await openClusters()
  prepared = `${at.name}-prepared`
  people = await openPeople(at, ['c2'])
  const all = everywhere('coe-look', 'coe-manage', 'coe-own', 'coe-host', 'coe-namespaces', 'coe-find')
  owner = await people.hire('owner', [...all, ...onMember])
  nobody = await people.hire('nobody', [], ['host', 'c2'])
})
afterAll(async () => {
  if (!at) return
  for (const name of [at.name, prepared]) {
    await at.run(`federation delete ${name} --host host --unjoin --yes --ignore-not-found`)
  }
  await people?.close()
  await at.kubectl('host', 'delete', 'namespace', prepared, '--ignore-not-found')
  await at.kubectl('c2', 'delete', 'namespace', at.name, '--ignore-not-found')
  await at.close()
})

async function ok(who: Program, line: string): Promise<string> {
  const ended = await who.run(line)
  expect(ended.code, told(line, ended)).toBe(0)
  return ended.out
}

async function refused(who: Program, line: string): Promise<string> {
  const ended = await who.run(line)
  expect(ended.code, told(line, ended)).toBe(4)
  expect(ended.err).toContain('docs/rbac.md')
  return ended.err
}

describe.runIf(clustersThere)('without rights on the host (KUBECONFIG, COE_ASSETS)', () => {
  it('creation is refused before anything is made', async () => {
    const line = `federation create ${at.name} --host host --expose nodeport`
    expect(await refused(nobody, line)).toContain('get namespaces')
    const viewer = await people.hire('viewer', everywhere('view'))
    const why = await refused(viewer, line)
    expect(why).toContain('create/delete namespaces, nor ')
    expect(why).toContain(`create/patch/deletecollection services in namespace coe-fed-${at.name}`)
    expect(why).toContain('list nodes')
    expect(await at.left()).toEqual([])
  })
})

describe.runIf(clustersThere)('with the roles of docs/rbac.md (KUBECONFIG, COE_ASSETS)', () => {
  it('somebody may create', async () => {
    await ok(owner, `federation create ${at.name} --host host --expose nodeport`)
    expect(await ok(owner, `federation create ${at.name} --host host`)).toContain('unchanged')
    const place = `coe-fed-${at.name}`
    manager = await people.hire('manager', [...there(place, 'coe-look', 'coe-manage'), ...onMember])
    looker = await people.hire('looker', there(place, 'coe-look'))
  })

  it('another may look, and nothing else', async () => {
    expect(await ok(looker, `federation show ${at.name} --host host -f value -c name`)).toBe(`${at.name}\n`)
    await ok(looker, `federation status ${at.name} --host host`)
    await ok(looker, `federation members ${at.name} --host host`)
    await refused(looker, `federation update ${at.name} --host host --property a=b`)
    await refused(looker, `federation delete ${at.name} --host host --yes`)
    await refused(looker, 'federation list --host host')
    expect(await ok(owner, 'federation list --host host -f value -c name')).toContain(`${at.name}\n`)
  })

  it('a join without rights on the member is refused with each that is missing, and changes nothing', async () => {
    const reader = await people.hire('reader', [
      ...there(`coe-fed-${at.name}`, 'coe-look', 'coe-manage'),
      { on: 'c2', role: 'view' },
    ])
    const why = await refused(reader, `federation join ${at.name} c2 --host host`)
    expect(why).toContain('create/patch serviceaccounts in namespace karmada-cluster')
    expect(why).toContain('escalate/bind clusterroles.rbac.authorization.k8s.io karmada-controller-manager:karmada-c2')
    expect((await at.left()).filter(object => object.startsWith('c2'))).toEqual([])
  })

  it('a third may let clusters join and leave, with or without their workloads, and change what is kept of it', async () => {
    const on = `${at.name} --host host`
    await ok(manager, `federation join ${at.name} c2 --host host`)
    expect(await ok(manager, `federation join ${at.name} c2 --host host`)).toContain('is already a member')
    const file = join(at.folder, 'workload.json')
    await writeFile(file, workload(at.name, ['c2']))
    const kubeconfig = join(at.folder, 'federation.kubeconfig')
    await writeFile(kubeconfig, await ok(manager, `federation kubeconfig ${on}`), { mode: 0o600 })
    await at.kubectl(at.name, '--kubeconfig', kubeconfig, 'apply', '-f', file)
    await at.kubectl('c2', 'wait', '--for=create', `namespace/${at.name}`, '--timeout=200s')
    await at.kubectl('c2', 'wait', '--for=create', 'deployment/web', '--namespace', at.name, '--timeout=200s')
    await ok(manager, `federation unjoin ${at.name} c2 --host host`)
    const kept = JSON.parse(await at.kubectl('c2', 'get', 'deployment', 'web', '--namespace', at.name, '-o', 'json'))
    expect(kept.metadata.labels).toEqual({ app: 'web' })
    expect(Object.keys(kept.metadata.annotations ?? {}).filter(name => name.includes('karmada'))).toEqual([])
    await ok(manager, `federation update ${on} --property a=b`)
    await ok(manager, `federation join ${at.name} c2 --host host`)
    await ok(manager, `federation unjoin ${at.name} c2 --host host --workloads delete --yes`)
    expect((await at.left()).filter(object => object.startsWith('c2'))).toEqual([])
    await refused(manager, `federation delete ${on} --yes`)
  })

  it('and the first may delete it all', async () => {
    await ok(owner, `federation delete ${at.name} --yes`)
    expect(await at.left()).toEqual([])
  })
})

describe.runIf(clustersThere)('in a namespace that an administrator made (KUBECONFIG, COE_ASSETS)', () => {
  it('somebody may create and delete with rights there, and but a look at the rest of the host', async () => {
    const place = `coe-fed-${prepared}`
    await at.kubectl('host', 'create', 'namespace', place)
    const within = there(place, 'coe-look', 'coe-manage', 'coe-own')
    guest = await people.hire('guest', [...within, { on: 'host', role: 'coe-host' }])
    await refused(guest, `federation create ${prepared} --host host --expose nodeport`)
    await ok(guest, `federation create ${prepared} --host host --expose nodeport --adopt`)
    await ok(guest, `federation status ${prepared}`)
    await ok(guest, `federation delete ${prepared} --yes`)
    expect(await at.left(prepared)).toEqual([])
    const left = JSON.parse(await at.kubectl('host', 'get', 'namespace', place, '-o', 'json'))
    expect(Object.keys(left.metadata.labels)).toEqual(['kubernetes.io/metadata.name'])
    await at.kubectl('host', 'delete', 'namespace', place)
  })
})
