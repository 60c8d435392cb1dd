/** Addresses: those that the server gives a Service, and those that it leaves to others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KubeObject, refOf } from '../../../src/kube/api/object.ts'
import { failureOf } from '../../support/kube.ts'
import { belongings } from './belongings.ts'
import { target } from './target.ts'

const nodePortOf = (object: KubeObject): number | undefined =>
  (object.spec?.ports as { name: string; nodePort?: number }[] | undefined)?.find(p => p.name === 'https')?.nodePort

const clusters = await target()
const { api } = clusters.host
const ours = belongings(api)
let place: string
const service = (name: string, spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: place },
  spec: { selector: { app: name }, ports: [{ name: 'https', port: 5443, targetPort: 5443 }], ...spec },
})

beforeAll(async () => {
  if (clusters.there) place = await ours.namespace('services')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('a Service', () => {
  it('gets an address in the cluster, and keeps it when applied again', async () => {
    const { object } = await api.apply(service('inside', {}))
    expect(object.spec).toMatchObject({ type: 'ClusterIP', clusterIP: expect.stringMatching(/^[\d.]+$|:/) })
    expect(object.spec.clusterIPs).toEqual([object.spec.clusterIP])
    expect(nodePortOf(object)).toBeUndefined()
    const again = await api.apply(service('inside', { publishNotReadyAddresses: true }))
    expect(again.object.spec).toMatchObject({ clusterIP: object.spec.clusterIP, publishNotReadyAddresses: true })
  })

  it('without a cluster IP has no address', async () => {
    expect((await api.apply(service('headless', { clusterIP: 'None' }))).object.spec.clusterIP).toBe('None')
  })

  it('of type NodePort gets a port on the nodes, and keeps it', async () => {
    const { object } = await api.apply(service('outside', { type: 'NodePort' }))
    const port = nodePortOf(object)
    expect(port).toBeGreaterThanOrEqual(30_000)
    expect(port).toBeLessThanOrEqual(32_767)
    expect(nodePortOf((await api.apply(service('outside', { type: 'NodePort' }))).object)).toBe(port)
  })

  it('is refused a node port of another Service', async () => {
    const { object } = await api.apply(service('first', { type: 'NodePort' }))
    const taken = nodePortOf(object)
    const ports = [{ name: 'https', port: 5443, nodePort: taken }]
    const error = await failureOf(api.apply(service('second', { type: 'NodePort', ports })))
    expect(error.message).toContain('provided port is already allocated')
    expect(error.details).toMatchObject({ status: 422, causes: [{ field: 'spec.ports[0].nodePort' }] })
  })

  it('is refused without ports', async () => {
    const error = await failureOf(api.create(service('portless', { ports: [] })))
    expect(error.details).toMatchObject({ status: 422, causes: [{ field: 'spec.ports' }] })
  })

  it('of type LoadBalancer has no address until a provider gives it one', async () => {
    const { object } = await api.apply(service('balanced', { type: 'LoadBalancer' }))
    expect(object.status?.loadBalancer?.ingress).toBeUndefined()
    expect(object.status).toEqual({ loadBalancer: {} })
    expect(nodePortOf(object)).toBeGreaterThan(0)
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }
    const given = await api.patch(refOf(object), { status }, { type: 'merge', subresource: 'status' })
    expect(given.status?.loadBalancer?.ingress).toEqual([expect.objectContaining({ ip: '192.0.2.7' })])
  })
})
