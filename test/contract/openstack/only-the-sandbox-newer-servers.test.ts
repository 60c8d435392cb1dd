/**
 * Features that the lab's Magnum is too old for: tested only against the sandbox, and named in every report of real
 * servers.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { failed } from '../../../src/core/errors.ts'
import { createCluster, getCluster, listClusters } from '../../../src/openstack/magnum-api/clusters.ts'
import { rotateCredential } from '../../../src/openstack/magnum-api/credentials.ts'
import { createNodeGroup, getNodeGroup, patchNodeGroup } from '../../../src/openstack/magnum-api/nodegroups.ts'
import { createTemplate } from '../../../src/openstack/magnum-api/templates.ts'
import { endedBy, type Service } from '../../../src/openstack/service.ts'
import type { SandboxOptions } from '../../../src/sandbox/start.ts'
import { belongings, templateBody } from './belongings.ts'
import { refusal, refusalError } from './exchanges.ts'
import { onRealServers, simulated, type Target } from './target.ts'

const started: Target[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(cloud => cloud.close()))
})

async function newer(options: SandboxOptions = {}) {
  const cloud = await simulated({ magnumMax: '1.14', ...options })
  started.push(cloud)
  const ours = belongings(cloud)
  const user = await cloud.as('user')
  const made = async (what: string) => {
    const uuid = await ours.cluster(what, await ours.template(what))
    await ours.stable(uuid)
    return uuid
  }
  return { cloud, ours, user, made }
}

describe.skipIf(onRealServers)('only the sandbox shows Magnum of 2025.2 and later: credentials (1.12)', () => {
  it('rotateCredential is accepted with 202, and the cluster is updated', async () => {
    const { ours, user, made } = await newer()
    const uuid = await made('c')
    expect(await rotateCredential(user.service, uuid)).toEqual({ uuid })
    expect(user.last().status).toBe(202)
    expect((await ours.until(uuid, 'updated', c => c.status === 'UPDATE_COMPLETE')).uuid).toBe(uuid)
  })

  it('rotateCredential is refused to other projects, and to readers', async () => {
    const { cloud, made } = await newer()
    const uuid = await made('c')
    expect(await refusal(rotateCredential((await cloud.as('other')).service, uuid))).toEqual([
      404,
      `Cluster ${uuid} could not be found.`,
    ])
    expect(await refusal(rotateCredential((await cloud.as('reader')).service, uuid))).toEqual([
      403,
      "Policy doesn't allow credential:rotate to be performed.",
    ])
  })
})

describe.skipIf(onRealServers)('only the sandbox shows Magnum of 2026.2: labels and taints of nodes (1.14)', () => {
  it('a node group has them, and can change them', async () => {
    const { user, made } = await newer()
    const uuid = await made('c')
    const node_taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }]
    const body = { name: 'gpu', role: 'worker', node_count: 1, node_labels: { a: 'b' }, node_taints }
    const { uuid: group } = await createNodeGroup(user.service, uuid, body)
    expect(await getNodeGroup(user.service, uuid, group)).toMatchObject({ node_labels: { a: 'b' } })
    const patch = [{ op: 'add' as const, path: '/node_labels/c', value: 'd' }]
    expect(await patchNodeGroup(user.service, uuid, group, patch)).toMatchObject({ node_labels: { a: 'b', c: 'd' } })
  })
})

describe.skipIf(onRealServers)(
  'only the sandbox shows Magnum of 2026.2: cluster_id in place of stack_id (1.13)',
  () => {
    it('at the microversion that requires it', async () => {
      const { cloud, user, made } = await newer()
      const uuid = await made('c')
      const { service } = await cloud.open('user', { apiVersion: '1.13' })
      const [before, after] = [await getCluster(user.service, uuid), await getCluster(service, uuid)]
      expect([before.stack_id === undefined, after.stack_id === undefined]).toEqual([false, true])
      expect(after.cluster_id).toBe(before.stack_id)
    })
  },
)

describe.skipIf(onRealServers)('only the sandbox shows Magnum of 2023.2 and later: readers may not write', () => {
  it('clusters, nor templates', async () => {
    const { cloud, ours } = await newer()
    const template = await ours.template('t')
    const { service } = await cloud.as('reader')
    expect(await refusal(createCluster(service, { cluster_template_id: template }))).toEqual([
      403,
      "Policy doesn't allow cluster:create to be performed.",
    ])
    expect((await refusal(createTemplate(service, templateBody('x'))))[0]).toBe(403)
    expect(await listClusters(service, {}, false)).toEqual([])
  })
})

describe.skipIf(onRealServers)('only the sandbox shows what cannot be ordered from a real server', () => {
  it('all pages of a list are read, however few rows the server allows per page', async () => {
    const { user } = await newer({ clusters: 5, maxLimit: 2, magnumMax: '1.10' })
    expect((await listClusters(user.service, {}, false)).map(c => c.name)).toEqual(
      [1, 2, 3, 4, 5].map(n => `cluster${n}`),
    )
    const three = await listClusters(user.service, { limit: 3 }, true)
    expect(three.map(c => c.name)).toEqual(['cluster1', 'cluster2', 'cluster3'])
  })

  it('a cluster may not exist yet when its creation is answered', async () => {
    const { ours, user, cloud } = await newer({ timing: { clusterStore: 300 } })
    const { uuid } = await createCluster(user.service, { cluster_template_id: await ours.template('t') })
    expect(await refusal(getCluster(user.service, uuid))).toEqual([404, `Cluster ${uuid} could not be found.`])
    await cloud.clock.sleep(300)
    expect((await getCluster(user.service, uuid)).status).toBe('CREATE_IN_PROGRESS')
  })

  it('reads retry while a cluster is being deleted, which Magnum answers with a 400 for a moment', async () => {
    const { user, cloud } = await newer({ clusters: 1 })
    const detail = "Invalid input for field/attribute master_count. Value: '0'. Value should be greater or equal to 1"
    const body = { errors: [{ request_id: '', code: 'client', status: 400, title: '', detail, links: [] }] }
    const order = (times: number) =>
      cloud.sandbox?.faults.order({
        method: 'GET',
        path: /clusters/,
        times,
        effect: { kind: 'answer', status: 400, body },
      })
    order(1)
    expect((await getCluster(user.service, 'cluster1')).name).toBe('cluster1')
    order(2)
    expect(await listClusters(user.service, {}, false)).toHaveLength(1)
    order(Number.POSITIVE_INFINITY)
    expect((await refusalError(getCluster(user.service, 'cluster1'))).details.reason).toBe(detail)
    const controller = new AbortController()
    let requests = 0
    const service: Service = {
      ...endedBy(user.service, controller.signal),
      async json() {
        requests++
        controller.abort(new Error('stopped'))
        throw failed(detail, { details: { status: 400, reason: detail } })
      },
    }
    await expect(getCluster(service, 'cluster1')).rejects.toThrow('stopped')
    expect(requests).toBe(1)
  })
})
