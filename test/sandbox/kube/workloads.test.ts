import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { adminOf, type Client, condition, deployment, namespace } from './client.ts'

let sandbox: KubeSandbox
let api: Client
const apps = '/apis/apps/v1/namespaces/shop'
const core = '/api/v1/namespaces/shop'
const pods = async (app: string) => (await api.get(`${core}/pods?labelSelector=app%3D${app}`)).body.items

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0, host: { nodes: 2 } })
  api = await adminOf(sandbox.host)
  await api.post('/api/v1/namespaces', namespace('shop'))
})
afterAll(() => sandbox.close())

test('a Deployment becomes available, through a ReplicaSet and pods on nodes', async () => {
  await api.post(`${apps}/deployments`, deployment('web', 2))
  const reply = await api.until(`${apps}/deployments/web`, r => r.body.status?.readyReplicas === 2)
  expect(reply.body.status).toMatchObject({
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    availableReplicas: 2,
  })
  expect(condition(reply, 'Available')).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' })
  const done = await api.until(
    `${apps}/deployments/web`,
    r => condition(r, 'Progressing')?.reason === 'NewReplicaSetAvailable',
  )
  expect(done.body.metadata.annotations['deployment.kubernetes.io/revision']).toBe('1')
  const [pod] = await pods('web')
  expect(pod).toMatchObject({
    metadata: {
      name: expect.stringMatching(/^web-[0-9a-f]{10}-[a-z0-9]{5}$/),
      ownerReferences: [{ kind: 'ReplicaSet' }],
    },
    spec: { nodeName: expect.stringMatching(/^host-[12]$/) },
    status: { phase: 'Running', podIP: expect.any(String), containerStatuses: [{ ready: true, restartCount: 0 }] },
  })
})

test('a new template rolls the pods over, and scaling does not', async () => {
  await api.post(`${apps}/deployments`, deployment('rolled', 2))
  await api.until(`${apps}/deployments/rolled`, r => r.body.status?.readyReplicas === 2)
  const before = (await pods('rolled')).map((p: { metadata: { name: string } }) => p.metadata.name)
  await api.apply(`${apps}/deployments/rolled`, deployment('rolled', 2, 'web:2'), 'fieldManager=coe&force=true')
  await api.until(
    `${apps}/deployments/rolled`,
    r =>
      r.body.status?.observedGeneration === 2 &&
      r.body.status.replicas === 2 &&
      condition(r, 'Progressing')?.reason === 'NewReplicaSetAvailable',
  )
  await api.until(`${core}/pods?labelSelector=app%3Drolled`, r => r.body.items.length === 2)
  const after = await pods('rolled')
  expect(
    after.every((p: { spec: { containers: { image: string }[] } }) => p.spec.containers[0]?.image === 'web:2'),
  ).toBe(true)
  expect(after.some((p: { metadata: { name: string } }) => before.includes(p.metadata.name))).toBe(false)
  await api.patch(`${apps}/deployments/rolled`, 'merge', { spec: { replicas: 3 } })
  await api.until(`${apps}/deployments/rolled`, r => r.body.status?.readyReplicas === 3)
  const scaled = (await pods('rolled')).map((p: { metadata: { name: string } }) => p.metadata.name)
  expect(scaled).toEqual(expect.arrayContaining(after.map((p: { metadata: { name: string } }) => p.metadata.name)))
})

test('an image that cannot be pulled shows in the pod and its events, and holds the rollout', async () => {
  await api.post(`${apps}/deployments`, deployment('broken', 1, 'registry.example/no-such-image:1'))
  const list = `${core}/pods?labelSelector=app%3Dbroken`
  const waiting = (r: {
    body: { items: { status?: { containerStatuses?: { state: { waiting?: { reason: string } } }[] } }[] }
  }) => r.body.items[0]?.status?.containerStatuses?.[0]?.state.waiting
  const reply = await api.until(list, r => waiting(r)?.reason === 'ErrImagePull')
  const { name, uid } = reply.body.items[0].metadata
  const events = (await api.get(`${core}/events?fieldSelector=involvedObject.uid%3D${uid}`)).body.items
  expect(events.map((e: { reason: string }) => e.reason)).toEqual(
    expect.arrayContaining(['Scheduled', 'Pulling', 'Failed']),
  )
  expect(events[0].involvedObject).toMatchObject({ kind: 'Pod', name })
  const held = await api.get(`${apps}/deployments/broken`)
  expect(condition(held, 'Available')).toMatchObject({ status: 'False', reason: 'MinimumReplicasUnavailable' })
})

test('a pod waits for the Secret that it mounts', async () => {
  const volumes = [{ name: 's', secret: { secretName: 'late' } }]
  const spec = deployment('mounts', 1).spec
  await api.post(`${apps}/deployments`, {
    ...deployment('mounts', 1),
    spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, volumes } } },
  })
  const events = await api.until(`${core}/events?fieldSelector=reason%3DFailedMount`, r => r.body.items.length > 0)
  expect(events.body.items[0].message).toContain('secret "late" not found')
  await api.post(`${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'late' } })
  await api.until(`${apps}/deployments/mounts`, r => r.body.status?.readyReplicas === 1)
})

test('pods that must not share a node wait if there are too few nodes', async () => {
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'apart' } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  }
  const spec = deployment('apart', 3).spec
  await api.post(`${apps}/deployments`, {
    ...deployment('apart', 3),
    spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, affinity } } },
  })
  await api.until(`${apps}/deployments/apart`, r => r.body.status?.readyReplicas === 2)
  const pending = (await api.get(`${core}/pods?labelSelector=app%3Dapart&fieldSelector=status.phase%3DPending`)).body
    .items
  expect(pending).toHaveLength(1)
  expect(pending[0].status.conditions[0]).toMatchObject({
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.",
  })
})

const statefulSet = (name: string, podManagementPolicy: string) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name },
  spec: {
    replicas: 3,
    serviceName: name,
    podManagementPolicy,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: 'main', image: 'db:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
})

test('a StatefulSet has numbered pods with claims that outlive it', async () => {
  await api.post(`${apps}/statefulsets`, statefulSet('db', 'OrderedReady'))
  const { body } = await api.until(`${apps}/statefulsets/db`, r => r.body.status?.readyReplicas === 3)
  expect(body.status).toMatchObject({ observedGeneration: 1, replicas: 3, updatedReplicas: 3, currentReplicas: 3 })
  expect(body.status.currentRevision).toBe(body.status.updateRevision)
  const claim = (await api.get(`${core}/persistentvolumeclaims/data-db-2`)).body
  expect(claim).toMatchObject({
    spec: { storageClassName: 'standard', volumeName: expect.any(String) },
    status: { phase: 'Bound' },
  })
  expect((await api.get(`/api/v1/persistentvolumes/${claim.spec.volumeName}`)).body.status.phase).toBe('Bound')
  await api.del(`${apps}/statefulsets/db`)
  await api.until(`${core}/pods?labelSelector=app%3Ddb`, r => r.body.items.length === 0)
  expect((await api.get(`${core}/persistentvolumeclaims/data-db-2`)).status).toBe(200)
  await api.del(`${core}/persistentvolumeclaims/data-db-2`)
  await api.until(`/api/v1/persistentvolumes/${claim.spec.volumeName}`, r => r.status === 404)
})

test('a StatefulSet refuses changes of immutable fields', async () => {
  await api.post(`${apps}/statefulsets`, statefulSet('fixed', 'Parallel'))
  const refused = await api.patch(`${apps}/statefulsets/fixed`, 'merge', { spec: { serviceName: 'other' } })
  expect(refused.status).toBe(422)
  expect(refused.body.message).toContain(
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template'",
  )
})

test('a Job ends', async () => {
  await api.post('/apis/batch/v1/namespaces/shop/jobs', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1' }] } } },
  })
  const reply = await api.until(
    '/apis/batch/v1/namespaces/shop/jobs/once',
    r => condition(r, 'Complete')?.status === 'True',
  )
  expect(reply.body.status.succeeded).toBe(1)
})

test('a budget counts how many pods may be missing', async () => {
  await api.post(`${apps}/deployments`, deployment('counted', 2))
  await api.post('/apis/policy/v1/namespaces/shop/poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'counted' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'counted' } } },
  })
  await api.until(
    '/apis/policy/v1/namespaces/shop/poddisruptionbudgets/counted',
    r => r.body.status?.disruptionsAllowed === 1,
  )
})

test('deleting an owner deletes its dependents; orphans stay', async () => {
  await api.post(`${apps}/deployments`, deployment('owner', 1))
  await api.until(`${apps}/deployments/owner`, r => r.body.status?.readyReplicas === 1)
  await api.del(`${apps}/deployments/owner`, { propagationPolicy: 'Foreground' })
  await api.until(`${apps}/deployments/owner`, r => r.status === 404)
  expect(await pods('owner')).toEqual([])
  await api.post(`${apps}/deployments`, deployment('loose', 1))
  await api.until(`${apps}/deployments/loose`, r => r.body.status?.readyReplicas === 1)
  await api.del(`${apps}/deployments/loose`, { propagationPolicy: 'Orphan' })
  await api.until(`${apps}/deployments/loose`, r => r.status === 404)
  const [left] = (await api.get(`${apps}/replicasets?labelSelector=app%3Dloose`)).body.items
  expect(left.metadata.ownerReferences).toBeUndefined()
  expect(await pods('loose')).toHaveLength(1)
})
