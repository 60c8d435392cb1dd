/** A control plane that outlives a node: on three nodes, and what is told where there are not so many. */
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters, schedulable } from './clusters.ts'
import { told } from './scene.ts'

const nodes = clustersThere ? await schedulable('host') : []

let at: Clusters
beforeAll(async () => {
  if (clustersThere) at = await openClusters()
})
afterAll(async () => {
  if (!at) return
  await at.run(`federation delete ${at.name} --host host --yes --ignore-not-found`)
  await at.close()
})

const inNamespace = async (...words: string[]) =>
  JSON.parse(await at.kubectl('host', ...words, '--namespace', `coe-fed-${at.name}`, '-o', 'json')).items

const component = 'app.kubernetes.io/name'

interface Budget {
  metadata: { name: string }
  status: Record<string, number>
}

/** For what a controller does in its own time. */
const patience = { interval: 500, timeout: 120_000 }

describe.runIf(nodes.length > 0)('--ha where nodes are wanting (KUBECONFIG, COE_ASSETS)', () => {
  it('is refused before anything is made, and says how many there are', async () => {
    const [node] = nodes as [string]
    const line = `federation create ${at.name} --host host --expose nodeport --ha --node-selector kubernetes.io/hostname=${node}`
    const ended = await at.run(line)
    expect(ended.code, told(line, ended)).toBe(1)
    expect(ended.err).toContain('--ha needs 3 Ready nodes that take pods, but the host has 1 (of')
    expect(await at.left()).toEqual([])
  })
})

describe.runIf(nodes.length >= 3)('--ha on three schedulable nodes or more (KUBECONFIG, COE_ASSETS)', () => {
  it('comes up', async () => {
    // sooner than the test gives up, so that coe says which pod it was, and why
    await at.ok(`federation create ${at.name} --host host --expose nodeport --ha --wait-timeout 4m`)
    await at.ok(`federation status ${at.name}`)
  })

  it('has three of etcd and two of all else, each on a node of its own', async () => {
    const spread: Record<string, string[]> = {}
    for (const pod of await inNamespace('get', 'pods')) {
      const name = pod.metadata.labels[component]
      spread[name] = [...(spread[name] ?? []), pod.spec.nodeName]
    }
    const counts = Object.fromEntries(Object.entries(spread).map(([name, on]) => [name, new Set(on).size]))
    expect(counts).toEqual({
      etcd: 3,
      'karmada-apiserver': 2,
      'karmada-aggregated-apiserver': 2,
      'kube-controller-manager': 2,
      'karmada-controller-manager': 2,
      'karmada-scheduler': 2,
      'karmada-webhook': 2,
    })
    for (const on of Object.values(spread)) expect(on.length).toBe(new Set(on).size)
  })

  it('lets a drain take one of each at a time', async () => {
    const facts = async () => {
      const budgets: Budget[] = await inNamespace('get', 'poddisruptionbudgets')
      return budgets.map(b => [b.metadata.name, b.status.expectedPods, b.status.disruptionsAllowed]).sort()
    }
    // counted by a controller, which may come after the pods
    await expect.poll(facts, patience).toEqual([
      ['etcd', 3, 1],
      ['karmada-aggregated-apiserver', 2, 1],
      ['karmada-apiserver', 2, 1],
      ['karmada-controller-manager', 2, 1],
      ['karmada-scheduler', 2, 1],
      ['karmada-webhook', 2, 1],
      ['kube-controller-manager', 2, 1],
    ])
  })

  it('has etcd certificates for names, which outlive the addresses of pods', async () => {
    const secrets = await inNamespace('get', 'secrets')
    const { data } = secrets.find((s: { metadata: { name: string } }) => s.metadata.name === 'etcd')
    for (const file of ['tls.crt', 'peer.crt']) {
      const certificate = new X509Certificate(Buffer.from(data[file], 'base64'))
      for (const member of ['etcd-0', 'etcd-1', 'etcd-2']) expect(certificate.checkHost(`${member}.etcd`)).toBeDefined()
      expect(certificate.subjectAltName?.match(/IP Address:[^,]+/g)).toEqual(['IP Address:127.0.0.1'])
    }
  })

  it.each(['etcd-0', 'etcd-1'])('goes on while %s is gone, and has it back', { timeout: 600_000 }, async pod => {
    await at.kubectl('host', 'delete', 'pod', pod, '--namespace', `coe-fed-${at.name}`)
    // one request may be lost with the member that it was sent to; its sender asks again
    const name = `while-${pod}-is-gone`
    const ask = (verb: string, ...words: string[]) =>
      at.kubectl(at.name, verb, 'configmap', name, '--request-timeout=10s', ...words).catch(e => `${e.stderr}`)
    await expect.poll(() => ask('create'), { ...patience, timeout: 60_000 }).toMatch(/ created$|AlreadyExists/m)
    await expect.poll(() => ask('get', '-o', 'name'), patience).toBe(`configmap/${name}\n`)
    const place = ['--namespace', `coe-fed-${at.name}`]
    await at.kubectl('host', 'wait', '--for=create', `pod/${pod}`, ...place, '--timeout=120s')
    await at.kubectl('host', 'wait', '--for=condition=Ready', `pod/${pod}`, ...place, '--timeout=120s')
    await at.kubectl('host', 'rollout', 'status', 'statefulset/etcd', ...place, '--timeout=120s')
    await expect
      .poll(async () => told('status', await at.run(`federation status ${at.name}`)), patience)
      .toMatch(/→ exit 0/)
  })

  it('refuses to become one of a single member: that would be another store', async () => {
    expect((await at.run(`federation create ${at.name} --host host`)).out).toContain('unchanged')
    const other = await at.run(`federation create ${at.name} --host host --storage emptydir`)
    expect(other.code).toBe(5)
    expect(other.err).toContain("--storage (etcd's data would be lost)")
  })

  it('is deleted, and leaves nothing', async () => {
    await at.ok(`federation delete ${at.name} --yes`)
    expect(await at.left()).toEqual([])
    const claims = async () => {
      const volumes = JSON.parse(await at.kubectl('host', 'get', 'persistentvolumes', '-o', 'json')).items
      return volumes.map((v: { spec: { claimRef?: { namespace: string } } }) => v.spec.claimRef?.namespace)
    }
    // the volumes themselves go when their provisioner has seen that no claim is left
    await expect.poll(claims, patience).not.toContain(`coe-fed-${at.name}`)
  })
})
