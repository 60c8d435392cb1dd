/**
 * A member whose controllers lag behind may fill in the token of an account that is gone: its API server refuses that for
 * ever, so a join that finds one has it made anew.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { decoded } from '../../../../src/kube/api/object.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let member: ClusterApi
const secret = { apiVersion: 'v1', kind: 'Secret', name: 'karmada-c2', namespace: 'karmada-cluster' }
const uidOf = 'kubernetes.io/service-account.uid'

beforeAll(async () => {
  lab = await startLab({ members: 1 })
  const [c2] = lab.sandbox.members
  if (!c2) throw new Error('the lab has no member')
  member = await connectAdmin(c2)
})
afterAll(() => lab?.close())

async function ok(line: string): Promise<string> {
  const ended = await lab.run(line)
  expect(ended.code, `${line}\n${ended.out}${ended.err}`).toBe(0)
  return ended.out
}

it('a join replaces it, and the member is Ready', async () => {
  await ok('federation create myfed --host host --expose nodeport')
  await ok('federation join myfed c2')
  const account = await member.get({ ...secret, kind: 'ServiceAccount' })
  const before = { metadata: { annotations: { [uidOf]: 'that-of-the-account-before' } }, data: { token: 'b2xk' } }
  await member.patch(secret, before, { type: 'merge' })
  expect(await ok('federation join myfed c2')).toContain('Cluster c2 joined')
  const after = await member.get(secret)
  expect(after?.metadata.annotations?.[uidOf]).toBe(account?.metadata.uid)
  expect(decoded(after, 'token')).not.toBe('old')
  expect(await ok('federation members myfed -f value -c name -c ready')).toBe('c2 True\n')
  expect(await ok('federation join myfed c2')).toContain('is already a member')
})
