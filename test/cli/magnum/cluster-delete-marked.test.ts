/** Clusters of a Magnum in federations that this Magnum knows nothing of: the clusters themselves tell, before they are deleted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { grantMarksAccess, marksReader, marksRoleName } from '../../../src/kube/ownership/marks-access.ts'
import type { KubeCluster } from '../../../src/sandbox/kube/cluster.ts'
import { seedCluster } from '../../../src/sandbox/openstack/seed.ts'
import { apiServersIn } from '../../../src/sandbox/playground.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { configMap, connectAdmin } from '../../support/kube.ts'
import { changesSent } from '../../support/sent.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
let cloud: TestCloud
/** From the same machine, with the cloud for `magnum:` references. */
const standalone = (line: string) => lab.run(line, { env: cloud.env })
const deletions = () => cloud.sandbox.log.all().filter(e => e.method === 'DELETE' && e.url.startsWith('/v1/clusters'))

/** More clusters of the demo project, each with an API server behind it. */
async function seed(...names: string[]): Promise<KubeCluster[]> {
  const { accounts, state } = cloud.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  const [template] = [...state.store.templates.values()]
  if (!template) throw new Error('no template')
  const made = await Promise.all(names.map(name => seedCluster(state, owner, template, { name })))
  return made.map(({ uuid }) => lab.sandbox.cluster(`magnum-${uuid.slice(0, 8)}`))
}
/** As a join or a creation does beside the marks, and as somebody may do by hand. */
async function letSee(cluster: KubeCluster): Promise<void> {
  const api = await connectAdmin(cluster)
  const ground = await api.get({ apiVersion: 'v1', kind: 'Namespace', name: 'default' })
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: String(ground?.metadata.uid) }
  await grantMarksAccess(api, { name: marksRoleName(), owner, labels: {} }, new AbortController().signal)
}
const looked = ['GET /api/v1/configmaps', 'GET /api/v1/namespaces/kube-system/configmaps/coe-membership']
const askedOf = (cluster: KubeCluster) => cluster.log.all().map(e => `${e.method} ${e.url.split('?')[0]}`)

beforeAll(async () => {
  lab = await startLab({ members: 0 })
  cloud = await startCloud({ clusters: 2, apiServers: apiServersIn(lab.sandbox) })
})
afterAll(async () => {
  await cloud.close()
  await lab.close()
})
beforeEach(() => cloud.sandbox.log.clear())

// difference: members-kept
describe('a cluster that a federation made without Magnum needs', () => {
  it('is not deleted while it is a member; the hint takes it out', async () => {
    expect(await standalone('federation create myfed --host host --expose nodeport')).toMatchObject({ code: 0 })
    expect(await standalone('federation join myfed magnum:cluster1')).toMatchObject({ code: 0 })

    const { code, out, err } = await cloud.run('cluster delete cluster1')
    expect({ code, out }, err).toEqual({ code: 5, out: '' })
    expect(err).toContain('coe: cluster "cluster1" is a member of federation "myfed"\n')
    expect(err).toContain('coe --standalone federation unjoin myfed cluster1\n')
    expect(deletions()).toEqual([])

    expect((await standalone('federation unjoin myfed cluster1')).code).toBe(0)
    expect((await cloud.run('cluster delete cluster1')).code).toBe(0)
  })

  it('is not deleted while it is a host, even of a federation that was never finished; the hint deletes that', async () => {
    const create = 'federation create inner --host magnum:cluster2 --expose nodeport'
    const interrupted = new AbortController()
    lab.sandbox.log.clear()
    const begun = lab.run(create, { env: cloud.env, interrupt: interrupted.signal })
    await vi.waitUntil(() => lab.sandbox.log.writes().some(e => e.url.includes('/secrets')), { timeout: 60_000 })
    interrupted.abort()
    expect((await begun).code).toBe(130)

    const { code, err } = await cloud.run('cluster delete cluster2 --wait')
    expect(code).toBe(5)
    expect(err).toContain('coe: cluster "cluster2" is the host of federation "inner"\n')
    const hint = 'coe --standalone federation delete inner --host magnum:cluster2'
    expect(err).toContain(hint)
    expect(deletions()).toEqual([])

    expect(await standalone(create)).toMatchObject({ code: 0 })
    expect((await cloud.run('cluster delete cluster2')).code).toBe(5)
    expect((await standalone(`${hint.replace('coe --standalone ', '')} --yes`)).code).toBe(0)
    expect((await cloud.run('cluster delete cluster2')).code).toBe(0)
  })
})

describe('a cluster that is asked before it is deleted', () => {
  let sly: KubeCluster
  it('costs two requests of its own, and none with --force', async () => {
    const [asked, forced] = (await seed('asked', 'forced')) as [KubeCluster, KubeCluster]
    await letSee(asked)
    const api = await connectAdmin(asked)
    const grant = { apiVersion: 'rbac.authorization.k8s.io/v1', name: marksRoleName() }
    const names = ['coe-federation', 'coe-membership']
    expect((await api.get({ ...grant, kind: 'ClusterRole' }))?.rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: names, verbs: ['get', 'list'] },
    ])
    expect((await api.get({ ...grant, kind: 'ClusterRoleBinding' }))?.subjects).toMatchObject([
      { kind: 'Group', name: marksReader },
    ])
    const before = askedOf(asked).length
    expect(await cloud.run('cluster delete asked')).toMatchObject({ code: 0, err: '' })
    expect(askedOf(asked).slice(before).sort()).toEqual(looked)
    cloud.sandbox.log.clear()
    expect((await cloud.run('cluster delete forced --force')).code).toBe(0)
    expect(askedOf(forced)).toEqual([])
    expect(cloud.sandbox.log.all().filter(e => e.url.includes('certificates'))).toEqual([])
  })

  it('has five seconds, side by side with the others; then that is said, and it is deleted', async () => {
    const silent = await seed('dumb', 'mute')
    for (const cluster of silent) cluster.faults.order({ effect: { kind: 'silence-before' } })
    const [gone] = (await seed('gone')) as [KubeCluster]
    await gone.stop()
    const { code, out, err } = await cloud.run('cluster delete dumb gone mute')
    const [one = 0, other = 0] = silent.map(cluster => cluster.log.all()[0]?.startedAt ?? Number.NaN)
    expect(Math.abs(one - other)).toBeLessThan(5_000) // neither waited for the end of the other
    expect(code).toBe(0)
    expect(out.match(/has been accepted/g)).toHaveLength(3)
    const unchecked = (name: string) => `coe could not check whether a federation needs cluster "${name}": `
    const lines = err.trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(new RegExp(`^${unchecked('dumb')}no answer within 5 s \\(https://`))
    expect(lines[1]).toMatch(new RegExp(`^${unchecked('gone')}the API server of "gone" refused the connection`))
    expect(lines[2]).toContain(unchecked('mute'))
  })

  it('is asked as a user who may read the marks and nothing else; where it does not let that, it is told and deleted', async () => {
    const [shut] = (await seed('shut')) as [KubeCluster]
    const { code, out, err } = await cloud.run('cluster delete shut --trace')
    expect([code, out]).toEqual([0, 'Request to delete cluster shut has been accepted.\n'])
    expect(err).toContain(
      'coe did not check whether a federation made without Magnum needs cluster "shut": it does not let',
    )
    expect(askedOf(shut).sort()).toEqual(looked)
    const [signed] = changesSent(err)
    expect(signed?.path).toBe('/certificates')
    const der = Buffer.from(String(signed?.body.csr).replace(/-----.*?-----|\s/g, ''), 'base64').toString('latin1')
    expect(der.split(marksReader)).toHaveLength(3) // name and group
    expect(der).not.toMatch(/system:masters|admin/)
  })

  it('is deleted, and that said, where its certificates are for others', async () => {
    const [closed] = (await seed('closed')) as [KubeCluster]
    const { code, err } = await cloud.as('demo2')('cluster delete closed')
    expect(code).toBe(0)
    expect(err).toContain('coe could not check whether a federation needs cluster "closed": ')
    expect(askedOf(closed)).toEqual([])
  })

  describe('and does not tell', () => {
    const line = 'cluster delete hushed'
    const terminal = { tty: true, columns: 300 } as const
    beforeAll(async () => {
      cloud.sandbox.clock.advance(60_000) // what was deleted before is gone
      expect(await cloud.run('cluster list -f value -c name')).toMatchObject({ code: 0 })
      await seed('hushed')
    })

    it.each([
      ['--strict', `${line} --strict`, {}],
      ['COE_GUARD', line, { COE_GUARD: 'strict' }],
    ])('is kept with %s: exit 5', async (_, line, env) => {
      const { code, err } = await cloud.run(line, { ...terminal, env, input: 'y\n' })
      expect(code).toBe(5)
      expect(err).toContain(
        'cluster "hushed" is not deleted: coe did not check whether a federation made without Magnum needs',
      )
      expect(err).toContain('--force deletes it without checking')
      expect(deletions()).toEqual([])
    })

    it('is kept with "guard: strict" in the configuration', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'coe-guard-'))
      await writeFile(join(folder, 'config.yaml'), 'guard: strict\n')
      const { code } = await cloud.run(line, { env: { COE_CONFIG_DIR: folder } })
      await rm(folder, { recursive: true })
      expect(code).toBe(5)
      expect(deletions()).toEqual([])
    })

    it('cannot be deleted both without a check and only after one', async () => {
      expect((await cloud.run(`${line} --force --strict`)).code).toBe(2)
    })

    it('is asked about at a terminal, and kept without a yes', async () => {
      const { code, err } = await cloud.run(line, { ...terminal, input: 'n\n' })
      expect(code).toBe(1)
      expect(err).toContain('Delete cluster "hushed" anyway? [y/N]')
      expect(err).toContain('cancelled: cluster "hushed" is kept')
      expect(deletions()).toEqual([])
    })

    it('is asked about one after the other, and those with a yes are deleted', async () => {
      await seed('hushed-too')
      const { code, err } = await cloud.run(`${line} hushed-too --wait`, { ...terminal, input: 'y\nn\n' })
      expect(code).toBe(6)
      expect(err.match(/anyway\?/g)).toHaveLength(2)
      expect(deletions()).toHaveLength(1)
    })

    it('is deleted with a warning where nobody can answer', async () => {
      await seed('mum')
      const { code, err } = await cloud.run('cluster delete mum --no-input', terminal)
      expect(code).toBe(0)
      expect(err).toContain('did not check')
    })
  })

  it('may say in its mark what it likes: the line to paste is that of coe alone', async () => {
    ;[sly] = (await seed('sly')) as [KubeCluster]
    await letSee(sly)
    const { metadata, ...map } = configMap('coe-membership', 'kube-system')
    const data = { federation: 'fed; reboot', uuid: 'x', member: '$(reboot)', host: 'magnum:h `reboot`' }
    const labels = { 'coe/record': 'membership' }
    await (await connectAdmin(sly)).create({ ...map, metadata: { ...metadata, labels }, data })
    const { code, err } = await cloud.run('cluster delete sly')
    expect(code).toBe(5)
    expect(err).toContain("federation unjoin 'fed; reboot' '$(reboot)' --host 'magnum:h `reboot`'\n")
  })

  it('is not kept by a label on something else', async () => {
    const api = await connectAdmin(sly)
    await api.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-membership', namespace: 'kube-system' })
    for (const [name, kind] of [
      ['coe-membership', 'membership'],
      ['mine', 'federation'],
    ] as const) {
      const map = configMap(name, 'default')
      await api.create({ ...map, metadata: { ...map.metadata, labels: { 'coe/record': kind } } })
    }
    expect(await cloud.run('cluster delete sly')).toMatchObject({ code: 0, err: '' })
  })
})
