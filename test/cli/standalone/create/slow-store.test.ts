/** A volume of etcd that takes long, or never comes: the API server is not blamed, and another class may be given. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../../../src/core/poll.ts'
import { systemClock } from '../../../../src/core/time.ts'
import type { Clock } from '../../../../src/core/world.ts'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../../../src/kube/api/object.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
let before: Record<string, string[]>
/** The pauses of a run that waits in vain for a while are ten times as short as they are for users. */
const clock: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) }
const namespace = 'coe-fed-myfed'
const create = 'federation create myfed --host host --expose nodeport'

const storageClass = (name: string, volumeBindingMode: string): KubeObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'example.com/slow',
  volumeBindingMode,
})
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'data-etcd-0', namespace }

beforeAll(async () => {
  lab = await startLab({ members: 0, timings: { etcdPatience: 200, podRestart: 50 } })
  host = await connectAdmin(lab.sandbox.host)
  await host.create(storageClass('slow', 'Immediate'))
  await host.create(storageClass('late', 'WaitForFirstConsumer'))
  before = lab.objects()
})
afterAll(() => lab.close())

const remove = async () => expect((await lab.run('federation delete myfed --yes --ignore-not-found')).code).toBe(0)
/** What an administrator, or a cloud, does in the end. */
const bind = () => host.patch(claim, { status: { phase: 'Bound' } }, { type: 'merge', subresource: 'status' })
const until = (what: string, look: () => Promise<boolean>) =>
  poll(async () => (await look()) || undefined, { clock: systemClock, timeoutMs: 30_000, intervalMs: 20, what })

describe('a volume that takes long', () => {
  it('is waited for, however often the API server has given up meanwhile', async () => {
    let told = ''
    const creation = lab.run(`${create} --storage-class slow`, {
      clock,
      onErr: all => {
        told = all
      },
    })
    const often =
      /etcd is not ready yet; until then pod karmada-apiserver\S* crashes: \S+ was restarted ([5-9]|\d\d+) times/
    await until('the creation to have told of many crashes', async () => often.test(told))
    const status = await lab.run('federation status myfed -f json', { clock })
    await bind()
    const r = await creation
    expect([r.code, r.err]).toEqual([0, expect.stringMatching(often)])
    expect(r.err).toContain(
      'volume claim data-etcd-0 of StorageClass slow is Pending: ExternalProvisioning: Waiting for',
    )
    expect(status.code).toBe(1)
    expect(status.out).toContain('volume claim data-etcd-0 of StorageClass slow is Pending: ExternalProvisioning')
    await remove()
  })

  it('that the scheduler waits for without a word is told, whole, at a terminal and at Ctrl-C', async () => {
    const stop = new AbortController()
    const whole =
      /pod etcd-0 waits: volume claim data-etcd-0 of StorageClass late is Pending: ExternalProvisioning: Waiting .* correctly registered\./
    const r = await lab.run(`${create} --storage-class late`, {
      clock,
      tty: { stderr: true },
      columns: 80,
      interrupt: stop.signal,
      onErr: all => whole.test(all.replace(/\s+/g, ' ')) && stop.abort(),
    })
    expect([r.code, r.err]).toEqual([
      130,
      expect.stringMatching(/interrupted before it could create federation "myfed"/),
    ])
    expect(r.err.split('interrupted before')[1]?.replace(/\s+/g, ' ')).toMatch(
      /last status of etcd: .* is Pending: ExternalProvisioning/,
    )
  })
})

describe('a claim that is only Pending', () => {
  it('can be given another class, as a dry run says', async () => {
    const planned = await lab.run(`${create} --storage-class standard --storage-size 7Gi --dry-run`)
    expect([planned.code, planned.err, planned.out]).toEqual([0, '', expect.stringContaining('data-etcd-0')])
    const r = await lab.run(`${create} --storage-class standard --storage-size 7Gi`)
    expect([r.code, r.err]).toEqual([0, expect.any(String)])
    const made = await host.get(claim)
    expect(made?.spec).toMatchObject({ storageClassName: 'standard', resources: { requests: { storage: '7Gi' } } })
    expect((await lab.run('federation status myfed')).code).toBe(0)
  })

  it('and one that is bound keeps its class', async () => {
    const r = await lab.run(`${create} --storage-class slow`)
    expect([r.code, r.err]).toEqual([5, expect.stringContaining("--storage-class (etcd's volume already exists)")])
    const { uid } = (await host.get(claim))?.metadata ?? {}
    expect((await lab.run(create)).out).toContain('unchanged')
    expect((await host.get(claim))?.metadata.uid).toBe(uid)
    await remove()
  })

  it('can be done without', async () => {
    const creation = lab.run(`${create} --storage-class slow --wait-timeout 10s`, { clock })
    expect((await creation).err).toMatch(/cannot create federation "myfed": etcd: gave up waiting after/)
    const r = await lab.run(`${create} --storage emptydir --storage-class ""`)
    expect([r.code, r.err]).toEqual([0, expect.any(String)])
    const kept = await lab.run(`${create} --resources large`)
    expect([kept.code, kept.err]).toEqual([5, expect.stringContaining('it contains the data')])
    await remove()
    expect(lab.objects()).toEqual(before)
  })
})
