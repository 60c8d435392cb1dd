/** Control planes that a host keeps from starting: pods that it never admits, and volumes that come late or never. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { told } from './scene.ts'

let at: Clusters
let team: string
let slow: string
let other: string
beforeAll(async () => {
  if (!clustersThere) return
  at = await openClusters()
  team = `${at.name}-team`
  slow = `${at.name}-slow`
  other = `${at.name}-other`
})
afterAll(async () => {
  if (!at) return
  for (const name of [team, slow, other]) await at.run(`federation delete ${name} --host host --yes --ignore-not-found`)
  await at.kubectl('host', 'delete', 'namespace', team, '--ignore-not-found')
  await at.kubectl('host', 'delete', 'storageclass,persistentvolume', slow, '--ignore-not-found')
  await at.close()
})

async function apply(...objects: object[]): Promise<void> {
  const file = join(at.folder, 'objects.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  await at.kubectl('host', 'apply', '-f', file)
}

describe.runIf(clustersThere)('a namespace with a quota (KUBECONFIG, COE_ASSETS)', () => {
  const quota = (hard: object) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'team', namespace: team },
    spec: { hard },
  })

  it('that is too small refuses a federation at once, whole under -q, and takes a small one when there is room', async () => {
    await apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: team } },
      quota({ 'limits.cpu': '1', 'limits.memory': '1Gi' }),
    )
    const line = `federation create ${team} --host host --expose nodeport --namespace ${team} --adopt`
    const began = Date.now()
    const refused = await at.run(`${line} -q`)
    expect(Date.now() - began).toBeLessThan(60_000)
    expect(refused.code, told(line, refused)).toBe(1)
    expect(refused.err).toMatch(
      /its pods are refused: pods "etcd-0" is forbidden: exceeded quota: team, requested: .*, limited: limits\.cpu=1,limits\.memory=1Gi/,
    )
    // no room for the API server of the size that was refused, which would be admitted by now and hold on to it
    await apply(quota({ 'limits.cpu': '6', 'limits.memory': '3500Mi' }))
    await at.ok(`${line} --resources small`)
    await at.ok(`federation status ${team}`)
  })
})

describe.runIf(clustersThere)('a storage class of which volumes come late (KUBECONFIG, COE_ASSETS)', () => {
  const metadata = () => ({ name: slow })

  it('does not fail the API server, which has crashed for want of etcd', async () => {
    const provisioner = 'example.com/none'
    await apply({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: metadata(), provisioner })
    const line = `federation create ${slow} --host host --expose nodeport --storage-class ${slow}`
    const running = at.start(line)
    await running.says(/volume claim data-etcd-0 of StorageClass \S+ is Pending: ExternalProvisioning/)
    await running.says(/etcd is not ready yet; until then pod karmada-apiserver-\S+ crashes/)
    const status = await at.run(`federation status ${slow}`)
    expect(status.out.replace(/[\s|]+/g, ' ')).toContain('volume claim data-etcd-0')
    await apply({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: metadata(),
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: slow,
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: { path: `/tmp/${slow}`, type: 'DirectoryOrCreate' },
      },
    })
    const ended = await running.ended
    expect(ended.code, told(line, ended)).toBe(0)
    await at.ok(`federation status ${slow}`)
  })

  it('is given up for another while the claim is only Pending', async () => {
    const line = `federation create ${other} --host host --expose nodeport --storage-class ${slow} --wait-timeout 15s`
    const ended = await at.run(line)
    expect(ended.code, told(line, ended)).toBe(7)
    expect(ended.err).toContain('etcd: gave up waiting after')
    await at.ok(`federation create ${other} --host host --storage-class '' --storage-size 1Gi`)
    await at.ok(`federation status ${other}`)
  })
})
