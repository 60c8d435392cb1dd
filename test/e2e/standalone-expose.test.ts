/** How users reach a federation: by a load balancer where a provider gives one, else by a port of the nodes; and from one to the other. */
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balance } from './balancer.ts'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { told } from './scene.ts'

let at: Clusters
let without: string
let balanced: string
beforeAll(async () => {
  if (!clustersThere) return
  at = await openClusters()
  without = `${at.name}-a`
  balanced = `${at.name}-b`
})
afterAll(async () => {
  if (!at) return
  for (const name of [without, balanced]) {
    await at.run(`federation delete ${name} --host host --yes --ignore-not-found`)
  }
  await at.close()
})

const apiServices = async (context: string) => (await at.kubectl(context, 'get', 'apiservices', '-o', 'name')).trim()

const certificate = async (federation: string) => {
  const of = ['secret', 'karmada-apiserver', '--namespace', `coe-fed-${federation}`]
  const data = await at.kubectl('host', 'get', ...of, '-o', 'jsonpath={.data.tls\\.crt}')
  return new X509Certificate(Buffer.from(data, 'base64'))
}

const server = async (context: string): Promise<string> => {
  const config = JSON.parse(await at.kubectl(context, 'config', 'view', '--minify', '-o', 'json'))
  return config.clusters[0].cluster.server
}

describe.runIf(clustersThere)('a host without a provider of load balancers (KUBECONFIG, COE_ASSETS)', () => {
  it('is warned about at once, waited for, and told how to do without', async () => {
    const line = `federation create ${without} --host host --wait-timeout 10s`
    const running = at.start(line)
    await running.says(/warning: the host seems to have no load balancer provider/)
    const ended = await running.ended
    expect(ended.code, told(line, ended)).toBe(7)
    expect(ended.err).toContain('the host has not assigned an address to the load balancer yet')
    const again = /use node ports: coe (.*)$/m.exec(ended.err)?.[1] ?? ''
    expect(again).toBe(`--standalone federation create ${without} --host host --expose nodeport`)
    await at.ok(again)
    expect(await apiServices(without)).toContain('cluster.karmada.io')
    const kept = ['service', 'karmada-apiserver', '--namespace', `coe-fed-${without}`]
    expect(await at.kubectl('host', 'get', ...kept, '-o', 'jsonpath={.spec.type}')).toBe('NodePort')
  })
})

describe.runIf(clustersThere)('a host with one, and a federation already (KUBECONFIG, COE_ASSETS)', () => {
  it('gets a second federation, at the address that it gives', async () => {
    const line = `federation create ${balanced} --host host`
    const running = at.start(line)
    await running.says(/has not assigned an address to the load balancer yet/)
    const ip = await balance(at, 'host', `coe-fed-${balanced}`, 'karmada-apiserver')
    const ended = await running.ended
    expect(ended.code, told(line, ended)).toBe(0)
    expect(ended.out).toContain(`its API is https://${ip}:5443`)
    expect(await server(balanced)).toBe(`https://${ip}:5443`)
    expect(await apiServices(balanced)).toContain('cluster.karmada.io')
    expect((await certificate(balanced)).checkIP(ip)).toBe(ip)
    expect((await at.run(line)).out).toContain('unchanged')
  })

  it('goes over to a port of the nodes in place: service, certificate and context', async () => {
    const before = await certificate(balanced)
    const uid = ['get', 'namespace', 'default', '-o', 'jsonpath={.metadata.uid}']
    const same = await at.kubectl(balanced, ...uid)
    expect(await at.ok(`federation create ${balanced} --host host --expose nodeport`)).toContain('is updated')
    const { hostname, port } = new URL(await server(balanced))
    expect(port).not.toBe('5443')
    const after = await certificate(balanced)
    expect(after.checkIP(hostname)).toBe(hostname)
    expect(after.fingerprint256).not.toBe(before.fingerprint256)
    expect(await at.kubectl(balanced, ...uid)).toBe(same)
    await at.ok(`federation status ${balanced}`)
  })

  it('keeps the two apart: one goes, and the other stays', async () => {
    await at.ok(`federation delete ${without} --yes`)
    expect(await at.left(without)).toEqual([])
    await at.ok(`federation status ${balanced}`)
    await at.ok(`federation delete ${balanced} --yes`)
    expect(await at.left(balanced)).toEqual([])
    expect(await at.contexts()).toEqual(['c2', 'c3', 'host'])
  })
})
