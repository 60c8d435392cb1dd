import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Lane, startLane } from './lane.ts'

let lane: Lane
beforeAll(async () => {
  lane = await startLane({ members: 0 })
})
afterAll(() => lane.close())

it('is not misled by local notes about a federation whose deletion was killed at its last step', async () => {
  const before = await lane.state()
  await lane.run('federation create myfed --host host --expose nodeport')
  const last = { what: 'kube:host DELETE /api/v1/namespaces/coe-fed-myfed', nth: 1 }
  await lane.killed('federation delete myfed --yes', { at: last, when: 'after' })
  await lane.becomes(before, 'the deletion that nobody saw the end of')
  await lane.run('federation create myfed --host host --expose nodeport')
  const shown = await lane.run('federation show myfed -f value -c name')
  expect(shown.out).toBe('myfed\n')
})
