/** Certificates that grow old: told by status, renewed by creating again, and what uses them is started anew. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { systemClock } from '../../../../src/core/time.ts'
import type { Clock } from '../../../../src/core/world.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

const day = 86_400_000
const create = 'federation create myfed --host host --expose nodeport'
/** Certificates last for 365 days: 59 are left of those that were made then. */
const longAgo: Clock = { ...systemClock, now: () => systemClock.now() - 305.5 * day }

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  expect(await lab.run(create, { clock: longAgo })).toMatchObject({ code: 0 })
  expect(await lab.run('federation join myfed c2')).toMatchObject({ code: 0 })
})
afterAll(() => lab.close())

interface Part {
  part: string
  name: string
  healthy: boolean
  detail: string
}
const status = async () => {
  const { code, out } = await lab.run('federation status myfed -f json')
  return { code, certificates: (JSON.parse(out) as Part[]).filter(row => row.part === 'certificate') }
}
const pods = () =>
  lab.sandbox.host.plane.store
    .list('pods', 'coe-fed-myfed')
    .map(pod => pod.metadata.uid)
    .sort()
const clientOf = async () => {
  const { users } = parse(await readFile(lab.kubeconfig, 'utf8'))
  const { user } = users.find((u: { name: string }) => u.name === 'myfed')
  return new X509Certificate(Buffer.from(user['client-certificate-data'], 'base64'))
}

it('status tells each that has fewer than 60 days, and fails', async () => {
  const { code, certificates } = await status()
  expect(code).toBe(1)
  const due = certificates.filter(row => !row.healthy)
  expect(due.map(row => row.name)).toContain('karmada-apiserver/tls.crt')
  for (const { detail } of due) expect(detail).toMatch(/59 days\): create it again to renew/)
  // those that are good are one row, beside each that is due
  const good = certificates.filter(row => row.healthy)
  expect(good).toMatchObject([{ name: `${17 - due.length} others` }])
})

it('creating again renews them, replaces the pods that use them, and renews the way in', async () => {
  const before = { pods: pods(), client: await clientOf() }
  const again = await lab.run(create)
  expect(again).toMatchObject({ code: 0 })
  expect(again.out).toContain('Federation myfed is updated')
  expect(pods().filter(uid => before.pods.includes(uid))).toEqual([])
  const client = await clientOf()
  expect(client.fingerprint256).not.toBe(before.client.fingerprint256)
  expect(Date.parse(client.validTo) - Date.now()).toBeGreaterThan(364 * day)
  const now = await status()
  expect(now.certificates.filter(row => !row.healthy)).toEqual([])
  expect(now.code).toBe(0)
})

it('and again changes nothing: no pod, no key', async () => {
  const before = pods()
  expect((await lab.run(create)).out).toContain('unchanged')
  expect(pods()).toEqual(before)
})
