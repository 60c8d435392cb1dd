import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCloud } from '../../support/cloud.ts'
import { connectAdmin, namespaceObject } from '../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: 3 })
  expect((await lab.run('federation create on-host --host host --expose nodeport')).code).toBe(0)
  await record('c2', 'on-c2')
  await forget()
})
afterAll(() => lab.close())

/** What a list reads: nobody need run a second control plane for that. */
async function record(cluster: string, name: string) {
  const api = await connectAdmin(lab.sandbox.cluster(cluster))
  const namespace = `coe-fed-${name}`
  await api.create(namespaceObject(namespace))
  const labels = {
    'coe/federation': name,
    'coe/federation-uuid': '7d8f6a52-2b9a-4d0e-9a5c-3f1f0a6b7c8d',
    'coe/record': 'federation',
  }
  const data = { driver: 'karmada_v1', 'driver-version': '1.0.0', state: 'created' }
  await api.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'coe-federation', namespace, labels },
    data,
  })
}

/** As on a machine that never saw a federation: no note on a context, and no local index. */
async function forget() {
  await writeFile(lab.kubeconfig, lab.sandbox.kubeconfig)
  await rm(join(lab.home, '.local/state/coe'), { recursive: true, force: true })
}
const list = async (words = '', env = {}) => {
  const r = await lab.run(`federation list ${words} -f value -c name`, { env })
  return { ...r, names: r.out.trim().split('\n').filter(Boolean) }
}
const current = async (context: string) => {
  const text = lab.sandbox.kubeconfig.replace(/^current-context:.*$/m, `current-context: ${context}`)
  await writeFile(lab.kubeconfig, text)
}

it('asks the current context on a machine that knows nothing, and says that there are others', async () => {
  await current('c2')
  const r = await list()
  expect([r.code, r.names]).toEqual([0, ['on-c2']])
  expect(r.err).toBe('3 other contexts of the kubeconfig were not queried; use --all-contexts to query every context\n')
})

it('--all-contexts asks every one', async () => {
  const r = await list('--all-contexts')
  expect([r.code, r.names, r.err]).toEqual([0, ['on-c2', 'on-host'], ''])
})

it('lists a part, in another order', async () => {
  expect((await list('--all-contexts --sort-key name --sort-dir desc')).names).toEqual(['on-host', 'on-c2'])
  expect((await list('--all-contexts --marker on-c2')).names).toEqual(['on-host'])
  expect((await list('--all-contexts --limit 1')).names).toEqual(['on-c2'])
  expect(await list('--all-contexts --marker nofed')).toMatchObject({ code: 3, names: [] })
  const odd = await list('--all-contexts --sort-key stats')
  expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('did you mean "status"')])
})

it('asks the hosts that are noted, whatever the current context is', async () => {
  await forget()
  expect((await lab.run('federation kubeconfig on-host --host host --merge')).code).toBe(0)
  const text = await readFile(lab.kubeconfig, 'utf8')
  await writeFile(lab.kubeconfig, text.replace(/^current-context:.*$/m, 'current-context: c3'))
  expect((await list()).names).toEqual(['on-host'])
  await writeFile(lab.kubeconfig, text.replace(/^current-context:.*$/m, 'current-context: on-host'))
  expect((await list()).names).toEqual(['on-host'])
  // the context lost, the local index still knows
  await current('c3')
  expect((await list()).names).toEqual(['on-host'])
})

it('tells who could not be asked, and that the list may be short, by its exit code', async () => {
  await lab.sandbox.cluster('c3').stop()
  const r = await list('--all-contexts')
  expect([r.code, r.names]).toEqual([6, ['on-c2', 'on-host']])
  expect(r.err).toContain('c3')
  expect(r.err).toContain('refused the connection')
  await lab.sandbox.cluster('c3').start()
})

it('one that is silent is waited for as long as --timeout says', async () => {
  const fault = lab.sandbox.cluster('c4').faults.order({ times: 99, effect: { kind: 'silence-before' } })
  const r = await list('--all-contexts --timeout 2s')
  expect([r.code, r.names]).toEqual([6, ['on-c2', 'on-host']])
  expect(r.err).toContain('did not answer within 2 s')
  expect((await list('--all-contexts --timeout 0')).code).toBe(2)
  fault.remove()
})

it('where nobody answers there is no empty list, but the failure', async () => {
  await rm(join(lab.home, '.local/state/coe'), { recursive: true, force: true })
  await current('c3')
  await lab.sandbox.cluster('c3').stop()
  const r = await list()
  expect([r.code, r.err]).toEqual([1, expect.stringContaining('refused the connection')])
  await lab.sandbox.cluster('c3').start()
})

it('says where it looked when there is nobody to ask, and lists nothing', async () => {
  const nowhere = join(lab.home, 'nowhere')
  const env = { KUBECONFIG: nowhere, XDG_STATE_HOME: nowhere }
  const table = await lab.run('federation list', { env })
  expect([table.code, table.out, table.err]).toEqual([0, '\n', expect.stringContaining(`no context is in ${nowhere}`)])
  const json = await lab.run('federation list --all-contexts -f json', { env })
  expect([json.code, JSON.parse(json.out), json.err]).toEqual([0, [], expect.stringContaining(nowhere)])
})

it('a list of clusters that has nothing to look at says so: an empty one would be taken for the answer', async () => {
  const nowhere = join(lab.home, 'nowhere')
  const { code, out, err } = await lab.run('cluster list -f json', { env: { KUBECONFIG: nowhere } })
  expect([code, JSON.parse(out)]).toEqual([0, []])
  expect(err).toContain(`no context is in ${nowhere}`)
  expect(err).toContain('for clusters of a Magnum name the cloud: --os-cloud NAME (OS_CLOUD)')
})

it('contradictions are told, and Magnum has no contexts', async () => {
  expect((await list('--all-contexts --host host')).code).toBe(2)
  const cloud = await startCloud()
  const r = await cloud.run('federation list --all-contexts')
  expect([r.code, r.err]).toEqual([2, expect.stringContaining('standalone')])
  await cloud.close()
})
