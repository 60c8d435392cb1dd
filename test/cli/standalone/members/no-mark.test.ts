/** A change that changed nothing leaves no mark on its federation: neither a failure, nor an entry in its history. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

const namespace = 'coe-fed-myfed'
const create = 'federation create myfed --host host --expose nodeport'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: 2 })
  expect(await lab.run(create)).toMatchObject({ code: 0 })
  expect(await lab.run('federation join myfed c2 c3')).toMatchObject({ code: 0 })
})
afterAll(() => lab.close())
afterEach(() => lab.sandbox.faults.clear())

function record(): Record<string, string> {
  const [found] = lab.sandbox.host.plane.store
    .list('configmaps', namespace)
    .filter(c => c.metadata.name === 'coe-federation')
  return (found as { data?: Record<string, string> } | undefined)?.data ?? {}
}

const members = async () => JSON.parse((await lab.run('federation show myfed -f json')).out).joined
const silent = (service: string) =>
  lab.sandbox.faults.order({
    service,
    agent: /^coe/,
    times: Number.POSITIVE_INFINITY,
    effect: { kind: 'reset-before' },
  })

async function expectNoMark(line: string, code: number, says: RegExp): Promise<void> {
  const before = record()
  const joined = await members()
  for (const _ of ['once', 'twice']) {
    const end = await lab.run(line)
    expect([end.code, end.out + end.err]).toEqual([code, expect.stringMatching(says)])
  }
  lab.sandbox.faults.clear()
  expect(record()).toEqual(before)
  expect(await members()).toEqual(joined)
  expect(await lab.run('federation status myfed')).toMatchObject({ code: 0 })
}

it('an unjoin of a member that does not answer', async () => {
  silent('kube:c2')
  await expectNoMark('federation unjoin myfed c2', 1, /closed the connection[\s\S]*unjoin myfed c2 --force/)
})

it('an unjoin from a federation that does not answer', async () => {
  silent(`karmada:${namespace}`)
  await expectNoMark('federation unjoin myfed c2', 1, /see what is missing: coe --standalone federation status myfed/)
})

it('a deletion that cannot take its members out', async () => {
  silent('kube:c3')
  silent('kube:c2')
  await expectNoMark('federation delete myfed --unjoin --yes', 1, /closed the connection/)
})

it('an unjoin of what is no member, a join of a member, and a creation of what stands', async () => {
  await expectNoMark('federation unjoin myfed host', 0, /is not a member of federation myfed: nothing to do/)
  await expectNoMark('federation join myfed c2', 0, /is already a member of federation myfed: nothing to do/)
  await expectNoMark(create, 0, /unchanged/)
})

it('a creation that only looked, and found the federation unwell', async () => {
  const policies = { agent: /^coe/, method: 'POST', path: /dryRun=All/, times: Number.POSITIVE_INFINITY }
  lab.sandbox.faults.order({ ...policies, effect: { kind: 'answer', status: 403, body: {} } })
  await expectNoMark(`${create} --wait-timeout 1s`, 7, /verification/)
})

it('what changed something leaves one, and the same done well takes it away', async () => {
  const late = {
    agent: /^coe/,
    method: 'DELETE',
    path: /\/clusters\/c2/,
    effect: { kind: 'answer', status: 403, body: {} },
  }
  lab.sandbox.faults.order(late as Parameters<typeof lab.sandbox.faults.order>[0])
  expect(await lab.run('federation unjoin myfed c2')).toMatchObject({ code: 1 })
  const status = async () => (await lab.run('federation show myfed -c status -f value')).out.trim()
  expect(await status()).toBe('UPDATE_FAILED')
  expect(await lab.run('federation unjoin myfed c2')).toMatchObject({ code: 0 })
  expect(await status()).toBe('UPDATE_COMPLETE')
  expect(await lab.run('federation unjoin myfed c2')).toMatchObject({ code: 0 })
  expect(JSON.parse(record().history ?? '[]').map((e: { verb: string }) => e.verb)).toEqual([
    'create',
    'join',
    'unjoin',
    'unjoin',
  ])
})
