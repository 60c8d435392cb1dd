/** The member's garbage collector deletes the federation's objects with its role, possibly late. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withdraw } from '../../../src/drivers/karmada_v1/leave/withdraw.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import type { Tools } from '../../../src/plan/step.ts'
import { createSandboxClock } from '../../../src/sandbox/clock.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { connectAdmin, failureOf, namespaceObject } from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi
const place = { apiVersion: 'v1', kind: 'Namespace', name: 'karmada-cluster' }
beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await connectAdmin(sandbox.host)
})
afterAll(() => sandbox.close())

/** Unjoins a member whose collector is stopped; resolves when the run waits for it. */
async function withdrawing() {
  await api.create(namespaceObject(place.name))
  const clock = createSandboxClock({ speed: 0 })
  let waited = () => {}
  const begun = new Promise<void>(resolve => {
    waited = resolve
  })
  const tell = (text: string) => text.includes('it is not being deleted') && waited()
  const tools = { api, signal: new AbortController().signal, limitMs: 600_000, remove: async () => true, tell }
  const ended = withdraw('c2', { api, own: false }, true, clock, tools as unknown as Tools)
  ended.catch(() => {})
  await begun
  return { clock, ended }
}

it('is awaited as long as a collector may take that has lost its server', async () => {
  const { clock, ended } = await withdrawing()
  clock.advance(120_000)
  await api.delete(place)
  await ended
})

it('is not awaited for ever; then the error names the controller that should have done it', async () => {
  const { clock, ended } = await withdrawing()
  clock.advance(300_000)
  const { message, hint } = await failureOf(ended)
  expect(message).toContain('Namespace karmada-cluster still exists after 4m')
  expect(hint).toContain('kube-controller-manager')
})
