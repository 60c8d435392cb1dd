/** A federation with many members: the cost of reading it, and the size of its records. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectAdmin } from '../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

const size = 40
let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: size })
  expect((await lab.run('federation create big --host host --expose nodeport')).code).toBe(0)
})
afterAll(() => lab.close())

const names = Array.from({ length: size }, (_, i) => `c${i + 2}`)
const sent = () => lab.sandbox.log.all().filter(entry => /^coe/.test(entry.agent))

it('joins all of them in parallel, in one run', async () => {
  const r = await lab.run('federation join big --from-file - -f json', { input: JSON.stringify(names) })
  expect(r.code).toBe(0)
  expect(JSON.parse(r.out).map((row: { result: string }) => row.result)).toEqual(names.map(() => 'joined'))
  const connected = new Set(sent().map(entry => entry.service))
  expect(connected.size).toBe(size + 2)
  const waysIn = sent().filter(entry => entry.url.endsWith('/secrets/admin-kubeconfig'))
  expect(waysIn.length).toBeLessThanOrEqual(2)
})

it('is read with a handful of requests', async () => {
  for (const [line, most] of Object.entries({ 'show big': 5, list: 5, 'status big': 11, 'members big': 11 })) {
    lab.sandbox.log.clear()
    expect((await lab.run(`federation ${line} -f json`)).code).toBe(0)
    expect(sent().length, line).toBeLessThanOrEqual(most)
  }
})

it('keeps its records small: the federation’s does not name all members', async () => {
  const host = await connectAdmin(lab.sandbox.host)
  const maps = await host.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'coe-fed-big' })
  const bytes = (kind: string) =>
    maps.items.filter(map => map.metadata.labels?.['coe/record'] === kind).map(map => JSON.stringify(map.data).length)
  expect(bytes('federation')[0]).toBeLessThan(2_000)
  expect(bytes('member')).toHaveLength(size)
  expect(Math.max(...bytes('member'))).toBeLessThan(400)
  const shown = await lab.run('federation show big -f json')
  expect(JSON.parse(shown.out).members).toHaveLength(size)
})

it('unjoins many of them in one run', async () => {
  const some = names.slice(0, size / 2)
  expect((await lab.run(`federation unjoin big ${some.join(' ')}`)).code).toBe(0)
  expect(JSON.parse((await lab.run('federation show big -f json')).out).members).toHaveLength(size / 2)
})

it('is deleted with the remaining members, in parallel', async () => {
  lab.sandbox.log.clear()
  expect((await lab.run('federation delete big --unjoin --yes')).code).toBe(0)
  const first = (service: string) => sent().findIndex(entry => entry.service === service)
  const last = (service: string) => sent().findLastIndex(entry => entry.service === service)
  const [one, other] = [`kube:${names[size - 1]}`, `kube:${names[size - 2]}`]
  expect(Math.max(first(one), first(other))).toBeLessThan(Math.min(last(one), last(other)))
})
