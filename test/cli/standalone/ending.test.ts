/** A federation whose namespace somebody holds: the time limit of its deletion holds, and every verb tells that it is being deleted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../../src/core/poll.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { configMap, connectAdmin } from '../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

const namespace = 'coe-fed-myfed'
const create = 'federation create myfed --host host --expose nodeport'
const held = /namespace coe-fed-myfed has been terminating since [\s\S]*example\.com\/hold/

let lab: StandaloneLab
let api: ClusterApi
let uuid = ''
const foreign = { apiVersion: 'v1', kind: 'ConfigMap', name: 'foreign', namespace }

beforeAll(async () => {
  lab = await startLab({ members: 1 })
  api = await connectAdmin(lab.sandbox.host)
  expect(await lab.run(create)).toMatchObject({ code: 0 })
  uuid = JSON.parse((await lab.run('federation show myfed -f json')).out).uuid
  const object = configMap('foreign', namespace)
  await api.create({ ...object, metadata: { ...object.metadata, finalizers: ['example.com/hold'] } })
})
afterAll(() => lab.close())

it('a deletion ends when its time is up, and says who holds it', async () => {
  // the first has work to do before it waits; the second finds it so
  for (const limit of ['8s', '2s']) {
    const began = performance.now()
    const gave = await lab.run(`federation delete myfed --yes --wait-timeout ${limit}`)
    expect(gave.code, gave.err).toBe(7)
    expect(gave.err).toMatch(/Namespace coe-fed-myfed still exists after [\d.]+s: .*example\.com\/hold/)
    expect(performance.now() - began).toBeLessThan(20_000)
  }
  expect(await lab.run('federation delete myfed --yes --wait-timeout 1s --ignore-not-found')).toMatchObject({ code: 7 })
})

describe('until it is gone', () => {
  it('show, list and members tell it', async () => {
    for (const ref of ['myfed', uuid]) {
      const shown = JSON.parse((await lab.run(`federation show ${ref} -f json`)).out)
      expect(shown).toMatchObject({ name: 'myfed', uuid, status: 'DELETE_IN_PROGRESS' })
      expect(shown.status_reason).toMatch(held)
    }
    const shown = await lab.run('federation show myfed --host host -f json')
    expect(JSON.parse(shown.out)).toMatchObject({ status: 'DELETE_IN_PROGRESS' })
    for (const line of ['federation list', 'federation list --host host']) {
      expect(JSON.parse((await lab.run(`${line} -f json`)).out)).toMatchObject([
        { name: 'myfed', hostcluster: 'host', status: 'DELETE_IN_PROGRESS' },
      ])
    }
  })

  it.each([
    'status myfed',
    'members myfed',
    'kubeconfig myfed',
    'kubeconfig myfed --merge',
    'join myfed c2',
    'unjoin myfed c2',
    'update myfed --property a=b',
    `update ${'UUID'} --property a=b`,
    'create myfed --host host --expose nodeport',
    'create myfed --host host --expose nodeport --dry-run',
  ])('%s is refused with that', async line => {
    const refused = await lab.run(`federation ${line.replace('UUID', uuid)}`)
    expect([refused.code, refused.err]).toEqual([5, expect.stringMatching(held)])
    expect(refused.err).toContain('coe --standalone federation delete myfed --host host --yes')
  })

  it('a dry run of its deletion says that it waits', async () => {
    const planned = await lab.run('federation delete myfed --yes --dry-run -f json')
    expect(planned.code).toBe(0)
    expect(planned.out).toContain(`Namespace ${namespace} (it is being deleted already)`)
  })
})

it('a deletion sees it go when whoever held it lets go, and then there is none', async () => {
  lab.sandbox.log.clear()
  const going = lab.run('federation delete myfed --yes')
  const looks = () => lab.sandbox.log.all().some(r => r.agent.startsWith('coe/') && /namespaces\?.*watch=/.test(r.url))
  await poll(async () => looks() || undefined, {
    clock: systemClock,
    timeoutMs: 30_000,
    intervalMs: 10,
    what: 'a look',
  })
  await api.patch(foreign, { metadata: { finalizers: null } }, { type: 'merge' })
  expect(await going).toMatchObject({ code: 0, out: 'Federation myfed is deleted.\n' })
  expect(await lab.run('federation show myfed')).toMatchObject({ code: 3 })
  expect(await lab.run('federation delete myfed --yes --ignore-not-found')).toMatchObject({ code: 0 })
  expect(await lab.run('federation list -f json')).toMatchObject({ out: '[]\n' })
  expect(await lab.run(create)).toMatchObject({ code: 0 })
})
