/** A federation whose memory is gone, with its pod or its volume: it is made good again, and taken apart without a rest. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
const create = 'federation create forgetful --host host'
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  expect((await lab.run(`${create} --expose nodeport --storage emptydir`)).code).toBe(0)
  expect((await lab.run('federation join forgetful c2')).code).toBe(0)
})
afterAll(() => lab.close())

it('leaves nothing on a member that its API has forgotten', async () => {
  const host = await connectAdmin(lab.sandbox.host)
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'coe-fed-forgetful' }
  const uid = async (name: string) => (await host.get({ ...pod, name }))?.metadata.uid
  const before = await uid('etcd-0')
  await host.delete({ ...pod, name: 'etcd-0' })
  await expect.poll(() => uid('etcd-0'), { timeout: 20_000 }).not.toBe(before)
  // its clients go on with what they remember, as real ones do for a while
  const servers = await host.list(pod, { labels: 'app.kubernetes.io/name=karmada-apiserver' })
  for (const { metadata } of servers.items) await host.delete({ ...pod, name: metadata.name ?? '' })
  expect((await lab.run(create)).code).toBe(0)
  const members = await lab.run('federation members forgetful -f value -c name -c reason')
  expect(members.out).toBe('c2 the federation does not have it any more: join it again\n')
  expect((await lab.run('federation delete forgetful --unjoin --yes')).code).toBe(0)
  expect(lab.objects()).toEqual(lab.before)
})
