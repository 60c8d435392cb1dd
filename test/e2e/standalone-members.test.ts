/** A member's life on real clusters: it leaves and comes back, does not answer for a while, and is gone without a word. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { faultsThere, healed, start, stop } from './fault.ts'
import { told } from './scene.ts'
import { workload } from './workload.ts'

const execute = promisify(execFile)
const karmadactlThere = await execute('karmadactl', ['version']).then(
  () => true,
  () => false,
)

let at: Clusters
beforeAll(async () => {
  if (!clustersThere) return
  at = await openClusters()
  await at.ok(`federation create ${at.name} --host host --expose nodeport`)
  await at.ok(`federation join ${at.name} c2`)
  const file = join(at.folder, 'workload.json')
  await writeFile(file, workload(at.name, ['c2']))
  await at.kubectl(at.name, 'apply', '-f', file)
})
afterAll(async () => {
  if (!at) return
  await healed()
  await at.run(`federation delete ${at.name} --host host --unjoin --yes --ignore-not-found`)
  await at.kubectl('c2', 'delete', 'namespace', at.name, '--ignore-not-found')
  await at.close()
})

const inNamespace = () => ['--namespace', at.name]
const available = (context: string) =>
  at.kubectl(context, 'wait', '--for=condition=Available', 'deployment/web', ...inNamespace(), '--timeout=200s')
/** Running, whatever its node has been through. */
const pods = () =>
  at.kubectl('c2', 'get', 'pods', '--field-selector=status.phase=Running', ...inNamespace(), '-o', 'name')
const becomes = (ready: boolean) =>
  at.kubectl(at.name, 'wait', `--for=condition=Ready=${ready ? 'True' : 'False'}`, 'cluster/c2', '--timeout=200s')

describe.runIf(clustersThere && karmadactlThere)("the engine's own command (karmadactl)", () => {
  it('sees the members of what coe made', async () => {
    const { stdout } = await execute('karmadactl', [
      ...['get', 'clusters', '--kubeconfig', join(at.folder, 'kubeconfig'), '--karmada-context', at.name],
    ])
    expect(stdout.split('\n')[1]).toMatch(/^c2\s.*\sPush\s+True\s/)
  })
})

describe.runIf(clustersThere)('a member that leaves and comes back (KUBECONFIG, COE_ASSETS)', () => {
  it('has the workloads of the federation, which sees them Available', async () => {
    await at.kubectl('c2', 'wait', '--for=create', `namespace/${at.name}`, '--timeout=200s')
    await at.kubectl('c2', 'wait', '--for=create', 'deployment/web', ...inNamespace(), '--timeout=200s')
    await available('c2')
    const collected = '--for=jsonpath={.status.availableReplicas}=2'
    await at.kubectl(at.name, 'wait', collected, 'deployment/web', ...inNamespace(), '--timeout=200s')
  })

  it('keeps them running when it leaves, with nothing of the federation on them', async () => {
    const uid = await at.kubectl('c2', 'get', 'deployment', 'web', ...inNamespace(), '-o', 'jsonpath={.metadata.uid}')
    await at.ok(`federation unjoin ${at.name} c2`)
    const { metadata } = JSON.parse(await at.kubectl('c2', 'get', 'deployment', 'web', ...inNamespace(), '-o', 'json'))
    expect(metadata.uid).toBe(uid)
    expect(metadata.labels).toEqual({ app: 'web' })
    expect(Object.keys(metadata.annotations ?? {}).filter(name => name.includes('karmada'))).toEqual([])
    await available('c2')
    expect((await at.left()).filter(object => object.startsWith('c2'))).toEqual([])
  })

  it('comes back under its name, and they run on', async () => {
    const uid = await at.kubectl('c2', 'get', 'deployment', 'web', ...inNamespace(), '-o', 'jsonpath={.metadata.uid}')
    await at.ok(`federation join ${at.name} c2`)
    await becomes(true)
    const now = await at.kubectl('c2', 'get', 'deployment', 'web', ...inNamespace(), '-o', 'jsonpath={.metadata.uid}')
    expect(now).toBe(uid)
    await available('c2')
  })
})

describe.runIf(clustersThere && faultsThere)('a member that does not answer (COE_E2E_FAULT)', () => {
  it('is told by status, and by the list of those that are not ready', async () => {
    await stop('c2')
    await becomes(false)
    const status = await at.run(`federation status ${at.name} -f json`)
    expect(status.code, told('status', status)).toBe(1)
    const unhealthy = JSON.parse(status.out).filter((row: { healthy: boolean }) => !row.healthy)
    expect(unhealthy).toHaveLength(1)
    expect(unhealthy).toMatchObject([
      { part: 'member', name: 'c2', healthy: false, detail: expect.stringMatching(/^Cluster.*(reachable|ready)/) },
    ])
    expect(await at.ok(`federation members ${at.name} --not-ready -f value -c name`)).toBe('c2\n')
  })

  it('is healthy again when it is back', async () => {
    await start('c2')
    await becomes(true)
    await at.ok(`federation status ${at.name}`)
    expect(await at.ok(`federation members ${at.name} --not-ready -f value -c name`)).toBe('')
  })

  // longer than all that it waits for: then that is told which did not come
  const limit = { timeout: 900_000 }
  it('leaves by --force alone, which tells what is left there, and the commands that clean it', limit, async () => {
    const before = await pods()
    expect(before).toContain('pod/web-')
    await stop('c2')
    const asked = await at.run(`federation unjoin ${at.name} c2`)
    expect(asked.code, told('unjoin', asked)).toBe(1)
    expect(asked.err).toContain(`coe --standalone federation unjoin ${at.name} c2 --force`)
    const forced = await at.run(`federation unjoin ${at.name} c2 --force --yes`)
    expect(forced.code, told('unjoin --force', forced)).toBe(0)
    expect(await at.ok(`federation members ${at.name} -f json`)).toBe('[]\n')
    await start('c2')
    const commands = (forced.out + forced.err).match(/kubectl --context c2 delete .*/g) ?? []
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) await at.kubectl('c2', ...command.split(' ').slice(3))
    // its garbage collector may have to find its way back first, for each kind by itself
    await at.kubectl('c2', 'wait', '--for=delete', 'namespace/karmada-cluster', '--timeout=240s')
    const mark = ['configmap/coe-membership', '--namespace', 'kube-system']
    await at.kubectl('c2', 'wait', '--for=delete', ...mark, '--timeout=240s')
    const there = async () => (await at.left()).filter(object => object.startsWith('c2'))
    await expect.poll(there, { interval: 1_000, timeout: 240_000 }).toEqual([])
    expect(await pods()).toBe(before)
  })

  it('may be joined anew after that', async () => {
    await at.ok(`federation join ${at.name} c2`)
    await at.ok(`federation unjoin ${at.name} c2`)
  })
})

describe.runIf(clustersThere)('its federation (KUBECONFIG, COE_ASSETS)', () => {
  it('is deleted, and leaves nothing but what the member was to keep', async () => {
    await at.ok(`federation delete ${at.name} --unjoin --yes`)
    expect(await at.left()).toEqual([])
    expect(await pods()).toContain('pod/web-')
  })
})
