/** On real clusters: a deletion that somebody holds up, and a host whose API goes away while a federation is made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { faultsThere, healed, start, stop } from './fault.ts'
import { told } from './scene.ts'

let at: Clusters
beforeAll(async () => {
  if (clustersThere) at = await openClusters()
})
afterAll(async () => {
  await healed()
  if (!at) return
  await letGo().catch(() => {}) // it was not held, or is gone
  await at.run(`federation delete ${at.name} --host host --unjoin --yes --ignore-not-found`)
  await at.close()
})

const create = () => `federation create ${at.name} --host host --expose nodeport --etcd-user root`
const namespace = () => `coe-fed-${at.name}`
const letGo = () =>
  at.kubectl(
    'host',
    'patch',
    'configmap',
    'foreign',
    '-n',
    namespace(),
    '--type=merge',
    '-p',
    '{"metadata":{"finalizers":null}}',
  )

describe.runIf(clustersThere && faultsThere)('a host whose API goes away', () => {
  it('ends no creation: it waits, takes its lock again, and resumes', async () => {
    const running = at.start(create())
    await running.says(/^etcd: /m)
    await stop('host')
    await running.says(/its host does not answer/)
    await start('host')
    const ended = await running.ended
    expect(ended.code, told(create(), ended)).toBe(0)
    expect(ended.err).toContain('the host answers again; resuming')
    const again = await at.run(create())
    expect(again.out, told(create(), again)).toContain('unchanged')
  })
})

describe.runIf(clustersThere)('a federation whose namespace somebody holds', () => {
  beforeAll(async () => {
    const made = await at.run(create())
    expect(made.code, told(create(), made)).toBe(0)
    await at.kubectl('host', 'create', 'configmap', 'foreign', '-n', namespace())
    const held = '{"metadata":{"finalizers":["example.com/hold"]}}'
    await at.kubectl('host', 'patch', 'configmap', 'foreign', '-n', namespace(), '--type=merge', '-p', held)
  })

  it('is given up in time, twice, with who holds it', async () => {
    const line = `federation delete ${at.name} --yes --wait-timeout 20s`
    for (const _ of ['the first', 'and one that finds it so']) {
      const ended = await at.run(line)
      expect(ended.code, told(line, ended)).toBe(7)
      expect(ended.err).toMatch(/still exists after .*example\.com\/hold/)
      expect(ended.seconds).toBeLessThan(35)
    }
  })

  it('is told as being deleted', async () => {
    const shown = JSON.parse((await at.run(`federation show ${at.name} -f json`)).out)
    expect(shown).toMatchObject({ status: 'DELETE_IN_PROGRESS' })
    expect(shown.status_reason).toContain('example.com/hold')
    const list = JSON.parse((await at.run('federation list --host host -f json')).out)
    expect(list).toContainEqual(expect.objectContaining({ name: at.name, status: 'DELETE_IN_PROGRESS' }))
    for (const line of [`status ${at.name}`, `join ${at.name} c2`, `create ${at.name} --host host`]) {
      const refused = await at.run(`federation ${line}`)
      expect(refused.code, told(line, refused)).toBe(5)
      expect(refused.err).toContain('is being deleted')
    }
  })

  it('goes when it is let go of', async () => {
    await letGo()
    const line = `federation delete ${at.name} --yes`
    const ended = await at.run(line)
    // it may be gone before anybody looks
    expect([0, 3], told(line, ended)).toContain(ended.code)
    expect((await at.run(`federation show ${at.name}`)).code).toBe(3)
  })
})
