/** The checks of a host before anything is written there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preflight } from '../../../src/drivers/karmada_v1/create/preflight.ts'
import { readSettings } from '../../../src/drivers/karmada_v1/settings.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { connectAdmin, namespaceObject } from '../../support/kube.ts'

let sandbox: KubeSandbox
let bare: KubeSandbox
let host: ClusterApi
const namespace = 'coe-fed-x'

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0, host: { nodes: 2 } })
  bare = await startKubeSandbox({ members: 0, host: { nodes: 1, defaultStorageClass: false } })
  host = await connectAdmin(sandbox.host)
})
afterAll(async () => {
  await sandbox?.close()
  await bare?.close()
})

async function findings(given: Record<string, unknown>, api = host, place = namespace): Promise<string[]> {
  const site = { namespace: place, settings: readSettings(given), labels: {} }
  const found = await preflight(site, api, new AbortController().signal)
  return found.map(f => `${f.level} ${f.id}: ${f.message}`)
}

describe('a host', () => {
  it('that has everything gets no finding', async () => {
    expect(await findings({ expose: 'nodeport' })).toEqual([])
  })

  it('without a sign of a load balancer gets a warning', async () => {
    expect(await findings({ expose: 'loadbalancer' }, await connectAdmin(bare.host))).toContain(
      'warning load-balancer: the host seems to have no load balancer provider',
    )
  })

  it('with too few nodes for --ha is refused', async () => {
    expect(await findings({ expose: 'nodeport', ha: true })).toEqual([
      'error nodes: --ha needs 3 Ready nodes that take pods, but the host has 2 (of 2 nodes)',
    ])
  })

  it('whose nodes lack the requested label is refused', async () => {
    expect(await findings({ expose: 'nodeport', 'node-selector': ['disk=fast'] })).toEqual([
      'error nodes: the host has no Ready node that takes pods (0 of 2)',
    ])
  })

  it('without a default StorageClass, or without the requested one, is refused with the available ones', async () => {
    const none = await connectAdmin(bare.host)
    expect((await findings({ expose: 'nodeport' }, none))[0]).toContain(
      'error storage: the host has no default StorageClass',
    )
    expect(await findings({ expose: 'nodeport', 'storage-class': 'fast' })).toEqual([
      'error storage: the host has no StorageClass "fast"',
    ])
    expect((await findings({ expose: 'nodeport', storage: 'emptydir' }, none))[0]).toContain(
      'warning storage: with --storage emptydir',
    )
  })

  it('gets a warning for a port that few hosts allow for a Service', async () => {
    expect(await findings({ expose: 'nodeport', 'api-port': 22000 })).toEqual([
      'warning port: node ports are usually from 30000 to 32767, but --api-port is 22000: the host may refuse it',
    ])
    expect(await findings({ expose: 'nodeport', 'api-port': 32767 })).toEqual([])
  })

  it("whose port belongs to another Service is refused, with the Service's name", async () => {
    await host.apply(namespaceObject('shop'))
    await host.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { type: 'NodePort', selector: { a: 'b' }, ports: [{ port: 80, nodePort: 31234 }] },
    })
    expect(await findings({ expose: 'nodeport', 'api-port': 31234 })).toEqual([
      'error port: node port 31234 of the host belongs to Service shop/web',
    ])
    expect(await findings({ expose: 'nodeport', 'api-port': 31235 })).toEqual([])
  })

  it('whose namespace has the strictest pod security is refused for an etcd that runs as root', async () => {
    const strict = namespaceObject('strict')
    strict.metadata.labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await host.apply(strict)
    expect(await findings({ expose: 'nodeport', 'etcd-user': 'root' }, host, 'strict')).toEqual([
      'error pod-security: namespace strict enforces the pod security level "restricted", which refuses an etcd that runs as root',
    ])
    expect(await findings({ expose: 'nodeport', 'etcd-user': 'unprivileged' }, host, 'strict')).toEqual([])
  })
})
