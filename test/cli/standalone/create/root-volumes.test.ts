/** Storage whose volumes belong to root: etcd is tried without root first, and runs as root where it must. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

const store = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', namespace: 'coe-fed-shop' }

describe.each([
  ['one etcd', 1, ''],
  ['three of etcd, of which a rollout replaces one and then waits for it', 3, '--ha'],
])('%s', (_what, nodes, ha) => {
  let lab: StandaloneLab
  let host: ClusterApi
  beforeAll(async () => {
    lab = await startLab({ members: 0, host: { nodes }, timings: { podRestart: 50 } })
    host = await connectAdmin(lab.sandbox.host)
    await host.create({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'folders' },
      provisioner: 'kubernetes.io/host-path',
    })
  })
  afterAll(() => lab.close())

  it('is created', async () => {
    const r = await lab.run(`federation create shop --host host --expose nodeport --storage-class folders ${ha}`)
    expect(r).toMatchObject({ code: 0 })
    expect(r.err).toContain('its volume belongs to root alone: starting it as root')
    expect((await lab.run('federation status shop')).code).toBe(0)
    const live = await host.get(store)
    expect(live?.spec.template.spec.securityContext?.runAsUser).toBeUndefined()
  })

  it('is unchanged when it is run again', async () => {
    expect((await lab.run('federation create shop --host host')).out).toContain('unchanged')
  })
})
