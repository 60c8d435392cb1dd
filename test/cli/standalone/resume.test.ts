/** Changes that a run left unfinished are finished from the record alone: by anybody, on any machine. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../src/kube/api/object.ts'
import { type Death, killSwitch } from '../../support/kill-switch.ts'
import { connectAdmin } from '../../support/kube.ts'
import { type OtherMachine, otherMachine } from '../../support/other-machine.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
let kill: ReturnType<typeof killSwitch>
let other: OtherMachine
let pid: number
beforeEach(async () => {
  kill = killSwitch()
  lab = await startLab({ members: 2, log: kill.log, faults: kill.faults })
  other = await otherMachine(lab, { host: 'h', c2: 'staging', c3: 'testing' })
  pid = 5000
})
afterEach(() => lab.close())

const create = 'federation create myfed --host host --expose nodeport'
const record = { what: 'kube:host PUT /api/v1/namespaces/coe-fed-myfed/configmaps/coe-federation', nth: 1 }

/** Runs the line until it dies at that write. */
async function killed(line: string, death: Death): Promise<void> {
  const { died, signal } = kill.arm(death)
  const mine = ++pid
  const run = lab.run(line, { pid: mine, isRunning: other => other !== mine, node: `v20-${mine}`, interrupt: signal })
  expect(await Promise.race([died, run])).toBe('dead')
  await run
}

/** As it is done by whoever comes next: no process of the dead run is alive. */
const alone = { isRunning: () => false, pid: 7000 }
const ran = async (line: string, machine = other) => {
  const result = await machine.run(line, alone)
  expect(result.code, result.out + result.err).toBe(0)
  return result
}
const shown = async (machine = other) => JSON.parse((await ran('federation show myfed -f json', machine)).out)
const members = async () => JSON.parse((await ran('federation members myfed -f json')).out)
const history = async () => {
  const { data } = (await (
    await connectAdmin(lab.sandbox.host)
  ).get({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'coe-federation',
    namespace: 'coe-fed-myfed',
  })) as KubeObject & { data: Record<string, string> }
  return { entries: JSON.parse(data.history ?? '[]'), intent: data.intent && JSON.parse(data.intent), data }
}

describe('a killed create', () => {
  const withMembers = async (file = 'myfed.yaml') => {
    await writeFile(
      join(lab.home, file),
      'name: myfed\nhostcluster: host\nproperties: {team: a}\nsettings: {expose: nodeport}\nmembers: [c2, {cluster: c3, name: third, labels: {tier: x}, region: eu}]\n',
    )
    return `federation create --file ${file} --context-name mine`
  }

  it('is finished from another machine with its settings, members and all, and its context is written there', async () => {
    const etcd = 'kube:host PATCH /apis/apps/v1/namespaces/coe-fed-myfed/statefulsets/etcd'
    await killed(await withMembers(), { at: { what: etcd, nth: 1 }, when: 'after' })
    const unfinished = await shown()
    expect(unfinished).toMatchObject({ status: 'CREATE_FAILED', properties: { team: 'a' } })
    expect(unfinished.unfinished).toEqual([{ verb: 'create' }, { verb: 'join', members: ['c2', 'third'] }])
    const { out } = await ran('federation resume myfed -f json')
    expect(JSON.parse(out)).toEqual([
      { change: 'create', name: 'myfed', result: 'created', reason: null },
      { change: 'join', name: 'c2', result: 'joined', reason: null },
      { change: 'join', name: 'third', result: 'joined', reason: null },
    ])
    expect(await members()).toMatchObject([
      { name: 'c2', ready: true },
      { name: 'third', ready: true },
    ])
    const third = { cluster: 'testing', name: 'third', region: 'eu', labels: { tier: 'x' } }
    expect(await shown()).toMatchObject({ joined: [{ cluster: 'staging', name: 'c2' }, third] })
    expect(await readFile(other.kubeconfig, 'utf8')).toContain('name: mine')
    expect(await readFile(lab.kubeconfig, 'utf8')).not.toContain('name: mine')
    expect((await history()).intent).toBeUndefined()
    expect(await shown()).toMatchObject({ status: 'UPDATE_COMPLETE', unfinished: [] })
  })

  it('is finished though it was killed before there was a record', async () => {
    const post = { what: 'kube:host POST /api/v1/namespaces/coe-fed-myfed/configmaps', nth: 1 }
    await killed(await withMembers(), { at: post, when: 'before' })
    await ran('federation resume myfed --host h')
    expect(await shown()).toMatchObject({ properties: { team: 'a' }, settings: { expose: 'nodeport' } })
    expect(await shown()).toMatchObject({ joined: [{ name: 'c2' }, { name: 'third', region: 'eu' }] })
  })

  it('is finished by create again, which lets its members join though the line does not name them', async () => {
    await killed(await withMembers(), { at: { ...record, nth: 2 }, when: 'after' })
    const again = await lab.run(create, alone)
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Cluster third joined federation myfed') })
    expect(await members()).toMatchObject([{ name: 'c2' }, { name: 'third' }])
  })

  it('is planned by --dry-run, which writes nothing', async () => {
    await killed(await withMembers(), { at: { ...record, nth: 2 }, when: 'before' })
    kill.log.clear()
    const { out } = await ran('federation resume myfed --dry-run -f json')
    expect(JSON.parse(out)).toMatchObject([
      { change: 'create', result: 'planned' },
      { change: 'join', name: 'c2', result: 'planned' },
      { change: 'join', name: 'third', result: 'planned' },
    ])
    expect(kill.writes()).toEqual([])
  })

  it('names the member that no context here leads to, and the option that supplies one; the rest is done', async () => {
    await killed(await withMembers(), { at: { ...record, nth: 2 }, when: 'before' })
    const poor = await otherMachine(lab, { host: 'h', c3: 'testing' })
    const partly = await poor.run('federation resume myfed', alone)
    expect(partly).toMatchObject({ code: 6, out: expect.stringContaining('Cluster third joined federation myfed') })
    expect(partly.err).toContain('no context here leads to "c2"')
    expect(partly.err).toContain('coe --standalone federation resume myfed --host h --member-context c2=CONTEXT')
    expect(await shown()).toMatchObject({ unfinished: [{ verb: 'join', members: ['c2'] }] })
    const wrong = await other.run('federation resume myfed --member-context c2=testing', alone)
    expect(wrong).toMatchObject({
      code: 5,
      err: expect.stringContaining('leads to a different cluster than member "c2"'),
    })
    const stranger = await other.run('federation resume myfed --member-context c4=staging', alone)
    expect(stranger).toMatchObject({ code: 2, err: expect.stringContaining('there are: c2') })
    await ran('federation resume myfed --member-context c2=staging')
    expect(await members()).toMatchObject([{ name: 'c2' }, { name: 'third' }])
  })

  it('has its definitions given again, which no record keeps', async () => {
    const crds = join(lab.home, 'assets', 'karmada-crds-v1.18.2.tar.gz')
    await killed(`${create} --crds ${crds} --crds-digest ${lab.env.COE_CRDS_DIGEST}`, {
      at: { ...record, nth: 1 },
      when: 'after',
    })
    const bare = { COE_ASSETS: undefined, COE_CRDS_DIGEST: undefined }
    expect((await history()).intent.create).toMatchObject({
      options: { 'crds-digest': lab.env.COE_CRDS_DIGEST },
      notKept: ['crds'],
    })
    const { err } = await other.run(
      `federation resume myfed --crds ${crds} --crds-digest ${lab.env.COE_CRDS_DIGEST} --wait-timeout 5m`,
      {
        ...alone,
        env: bare,
      },
    )
    expect(err).not.toContain('--crds was given')
    expect(await shown()).toMatchObject({ status: 'CREATE_COMPLETE' })
  })

  it('has lost authorities replaced, if the user says so', async () => {
    const etcd = 'kube:host PATCH /apis/apps/v1/namespaces/coe-fed-myfed/statefulsets/etcd'
    await killed(create, { at: { what: etcd, nth: 1 }, when: 'after' })
    const host = await connectAdmin(lab.sandbox.host)
    await host.delete({ apiVersion: 'v1', kind: 'Secret', name: 'certificate-authorities', namespace: 'coe-fed-myfed' })
    const { code, err } = await other.run('federation resume myfed', alone)
    expect([code, err]).toEqual([5, expect.stringContaining('--new-authorities')])
    await ran('federation resume myfed --new-authorities')
    expect(await shown()).toMatchObject({ status: 'CREATE_COMPLETE', unfinished: [] })
  })

  it('has a context of another name where that one is taken here', async () => {
    await killed(create, { at: { ...record, nth: 2 }, when: 'before' })
    const taken = await otherMachine(lab, { host: 'h', c2: 'myfed' })
    expect(await taken.run('federation resume myfed', alone)).toMatchObject({ code: 5 })
    const file = join(taken.home, 'fed.kubeconfig')
    await ran(
      `federation resume myfed --context-name second --kubeconfig-out ${file} --namespace coe-fed-myfed --timeout 20s --driver-option crds-digest=${lab.env.COE_CRDS_DIGEST}`,
      taken,
    )
    expect(await readFile(file, 'utf8')).toContain('name: second')
  })
})

describe('of a federation that stands', () => {
  beforeEach(async () => void (await ran(create, lab as unknown as OtherMachine)))

  it('nothing is left to do', async () => {
    expect(await other.run('federation resume myfed', alone)).toMatchObject({
      code: 0,
      out: 'Federation myfed has no unfinished change: unchanged\n',
    })
    expect(JSON.parse((await ran('federation resume myfed -f json')).out)).toEqual([
      { change: null, name: 'myfed', result: 'unchanged', reason: null },
    ])
    expect(await other.run('federation resume other')).toMatchObject({ code: 3 })
  })

  it('a killed join of several is finished, with what was said of each', async () => {
    const line = 'federation join myfed c2 c3 --label tier=y --zone z1 --provider p --concurrency 1'
    await killed(line, {
      at: { what: 'kube:host PATCH /api/v1/namespaces/coe-fed-myfed/configmaps/coe-member-c2', nth: 2 },
      when: 'after',
    })
    const { err } = await other.run('federation show myfed', alone)
    expect(err).toContain('not finished: join c2, c3')
    expect(err).toContain('coe --standalone federation resume myfed')
    const resumed = await other.run('federation resume myfed --context-name unused')
    expect(resumed).toMatchObject({ code: 0, err: expect.stringContaining('--context-name not used') })
    const labels = { tier: 'y' }
    const said = { labels, zones: ['z1'], provider: 'p' }
    expect(await shown()).toMatchObject({
      joined: [
        { name: 'c2', ...said },
        { name: 'c3', ...said },
      ],
    })
    expect(await members()).toMatchObject([{ ready: true }, { ready: true }])
  })

  it('an unjoin that deletes workloads is confirmed again, and done as it was asked for', async () => {
    await ran('federation join myfed c2 c3', lab as unknown as OtherMachine)
    const leaving = { what: 'kube:host PATCH /api/v1/namespaces/coe-fed-myfed/configmaps/coe-member-c2', nth: 1 }
    await killed('federation unjoin myfed c2 c3 --workloads delete --yes', { at: leaving, when: 'after' })
    expect((await history()).intent.unjoin).toEqual([
      { name: 'c2', workloads: 'delete', force: false },
      { name: 'c3', workloads: 'delete', force: false },
    ])
    expect(await other.run('federation resume myfed', alone)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    })
    await ran('federation resume myfed --yes')
    expect(await members()).toEqual([])
  })

  it('a killed change of properties is finished', async () => {
    await killed('federation update myfed --property a=1', { at: { ...record, nth: 1 }, when: 'after' })
    expect(await shown()).toMatchObject({ properties: {}, unfinished: [{ verb: 'update' }] })
    await ran('federation resume myfed')
    expect(await shown()).toMatchObject({ properties: { a: '1' }, unfinished: [] })
  })

  it('a killed change of settings is finished with the settings that were asked for', async () => {
    await killed(`${create} --resources small`, { at: { ...record, nth: 1 }, when: 'after' })
    expect(await shown()).toMatchObject({ unfinished: [{ verb: 'create' }] })
    await ran('federation resume myfed')
    expect(await shown()).toMatchObject({ settings: { resources: 'small' }, unfinished: [] })
  })

  it('a killed delete is confirmed again, and done with its members', async () => {
    await ran('federation join myfed c2', lab as unknown as OtherMachine)
    await killed('federation delete myfed --unjoin --yes', { at: { ...record, nth: 1 }, when: 'after' })
    expect(await other.run('federation resume myfed', alone)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    })
    await ran('federation resume myfed --yes')
    expect(lab.objects()).toEqual(lab.before)
  })

  it('a delete that failed is no more after the federation is made again', async () => {
    await killed('federation delete myfed --yes', { at: { ...record, nth: 1 }, when: 'after' })
    expect(await shown()).toMatchObject({ unfinished: [{ verb: 'delete', deletes: true }] })
    expect(await lab.run(create, alone)).toMatchObject({ code: 0 })
    expect(await shown()).toMatchObject({ status: 'CREATE_COMPLETE', unfinished: [] })
  })

  it('a run that is still at work is named, and waited for', async () => {
    const path = /configmaps\/coe-member-c2/
    let release = () => {}
    const until = new Promise<void>(resolve => {
      release = resolve
    })
    const hold = kill.faults.order({ agent: /^coe/, method: 'PATCH', path, times: 1, effect: { kind: 'hold', until } })
    const living = lab.run('federation join myfed c2', { pid: 4711, isRunning: () => true })
    await expect.poll(() => hold.hits).toBe(1)
    const alive = { isRunning: () => true, pid: 7001 }
    const busy = await other.run('federation resume myfed --dry-run', alive)
    expect(busy.code).toBe(5)
    expect(busy.err).toContain('is being changed by another run of coe ("join c2")')
    const waits = other.run('federation resume myfed', alive)
    release()
    expect(await living).toMatchObject({ code: 0 })
    expect(await waits).toMatchObject({ code: 0, out: expect.stringContaining('unchanged') })
  })

  it('a member that is taken out again is not to join any more', async () => {
    const joins = { what: 'kube:host PATCH /api/v1/namespaces/coe-fed-myfed/configmaps/coe-member-c2', nth: 1 }
    await killed('federation join myfed c2 c3', { at: joins, when: 'after' })
    expect(await lab.run('federation unjoin myfed c2 c3', alone)).toMatchObject({ code: 0 })
    expect(await shown()).toMatchObject({ unfinished: [] })
  })

  it('a record of an older coe, which kept no intent, tells what can be told', async () => {
    const joins = { what: 'kube:host PATCH /api/v1/namespaces/coe-fed-myfed/configmaps/coe-member-c2', nth: 1 }
    await killed('federation join myfed c2 --label tier=z', { at: joins, when: 'after' })
    const api = await connectAdmin(lab.sandbox.host)
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-federation', namespace: 'coe-fed-myfed' }
    await api.patch(ref, { data: { intent: null } }, { type: 'merge' })
    expect(await shown()).toMatchObject({ unfinished: [{ verb: 'join', members: ['c2'] }] })
    await ran('federation resume myfed')
    expect(await shown()).toMatchObject({ joined: [{ name: 'c2', labels: { tier: 'z' } }] })
  })
})
