import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { startCloud, type TestCloud } from '../../../support/cloud.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

const there = '--host host --namespace fed-space'
const json = async (line: string) => JSON.parse((await lab.run(`${line} -f json`)).out)

describe('in the words of kubefed, in a namespace of its own', () => {
  it('init makes a federation', async () => {
    const r = await lab.run(
      'init old --host-cluster-context host --federation-system-namespace fed-space --expose nodeport --property a=b',
    )
    expect(r).toMatchObject({ code: 0 })
    expect(await json(`federation show old ${there}`)).toMatchObject({ name: 'old', properties: { a: 'b' } })
  })

  it('init and create again go on with that one, wherever it is; a second one of its name is refused', async () => {
    const before = lab.objects().host?.length
    for (const verb of ['init', 'federation create']) {
      const again = await lab.run(`${verb} old --host host`)
      expect([again.code, again.out]).toEqual([0, expect.stringContaining('unchanged')])
    }
    const second = await lab.run('federation create old --host host --namespace elsewhere --expose nodeport')
    expect([second.code, second.err]).toEqual([
      5,
      expect.stringMatching(/has a federation "old" already, in namespace fed-space\nhint: .*--namespace fed-space/),
    ])
    expect(lab.objects().host?.length).toBe(before)
  })

  it('join takes a cluster under another name, into the one federation that there is', async () => {
    const r = await lab.run(
      'join second --cluster-context c2 --host-cluster-context host --federation-system-namespace fed-space --timeout 20s --wait-timeout 5m',
    )
    expect(r.out).toBe('Cluster c2 joined federation old\n')
    expect(await json(`federation members old ${there}`)).toMatchObject([{ name: 'second', ready: true }])
  })

  it('join takes the host too, when that is meant', async () => {
    const line =
      'join self --cluster-context host --host-cluster-context host --federation-system-namespace fed-space --federation old'
    const r = await lab.run(line)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('--allow-host')])
    expect((await lab.run(`${line} --allow-host --dry-run`)).code).toBe(0)
    expect((await lab.run(`${line} --allow-host`)).out).toBe('Cluster host joined federation old\n')
    expect((await lab.run('unjoin self --federation old --federation-system-namespace fed-space')).code).toBe(0)
  })

  it('unjoin lets it go by that name', async () => {
    const other = await lab.run(
      'unjoin second --cluster-context c3 --federation old --federation-system-namespace fed-space',
    )
    expect([other.code, other.err]).toEqual([
      5,
      expect.stringContaining('"c3" leads to a different cluster than member "second"'),
    ])
    const line =
      'unjoin second --federation old --host-cluster-context host --federation-system-namespace fed-space --timeout 20s --wait-timeout 5m'
    const planned = await lab.run(`${line} --dry-run`)
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('second')])
    const r = await lab.run(line)
    expect(r.out).toBe('Cluster second left federation old\n')
    expect(lab.objects().c2).toEqual(lab.before.c2)
    const again = await lab.run(`federation unjoin old c2 c3 ${there} -f name`)
    expect(again).toMatchObject({ code: 0, out: 'c2\nc3\n' })
  })
})

describe('a federation in a namespace of its own', () => {
  it('is found there by every verb, when the namespace is given', async () => {
    const rows = await json(`federation list ${there}`)
    expect(rows).toMatchObject([{ name: 'old' }])
    const ready = await lab.run(`federation wait old --for ready ${there} --timeout 20s`)
    expect(ready).toMatchObject({ code: 0 })
    for (const verb of ['status', 'members', 'kubeconfig'])
      expect((await lab.run(`federation ${verb} old ${there} --timeout 20s`)).code).toBe(0)
    const updated = await lab.run(
      `federation update old --property a=c --wait --wait-timeout 1m ${there} --timeout 20s`,
    )
    expect(updated.code).toBe(0)
    expect(await json(`federation show old ${there}`)).toMatchObject({ properties: { a: 'c' } })
  })
})

describe('what is said of a member', () => {
  it('is what the federation knows of it, and stays when it is not said again', async () => {
    const about = '--cluster-name west --region eu --zone eu-1 --zone eu-2 --provider acme --label tier=test'
    expect((await lab.run(`federation join old c3 ${there} ${about}`)).code).toBe(0)
    const expected = { name: 'west', region: 'eu', zones: ['eu-1', 'eu-2'], provider: 'acme', labels: { tier: 'test' } }
    expect(await json(`federation members old --long ${there}`)).toMatchObject([expected])
    expect((await lab.run(`federation join old c3 ${there}`)).out).toContain('nothing to do')
    expect(await json(`federation members old --long ${there}`)).toMatchObject([expected])
  })

  it('its name is fixed', async () => {
    const r = await lab.run(`federation join old c3 --cluster-name east ${there}`)
    expect([r.code, r.err]).toEqual([5, expect.stringContaining('as "west"')])
  })

  it('the host is a member only when that is meant', async () => {
    const r = await lab.run(`federation join old host ${there}`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('--allow-host')])
    const meant = await lab.run(`federation join old host ${there} --allow-host --dry-run --timeout 20s`)
    expect([meant.code, meant.out]).toEqual([0, expect.stringContaining('host')])
  })

  it('the federation itself is none', async () => {
    const r = await lab.run(`federation join old old ${there}`)
    expect([r.code, r.err]).toEqual([1, expect.stringContaining('this is the API of federation "old" itself')])
    expect(await json(`federation members old ${there}`)).toMatchObject([{ name: 'west' }])
  })

  it('an address that the federation could not use is refused, and others go on', async () => {
    const r = await lab.run(`federation join old c2 --cluster-server http://10.0.0.1 ${there}`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('not https')])
    const both = await lab.run(`federation join old nowhere c3 ${there}`)
    expect([both.code, both.out]).toEqual([6, 'Cluster c3 is already a member of federation old: nothing to do\n'])
    expect((await lab.run(`federation show old ${there} -f value -c status`)).out).toBe('UPDATE_COMPLETE\n')
  })

  it('a context that was renamed since is named, for one cluster', async () => {
    const several = await lab.run(`federation unjoin old west c2 --cluster-context c3 ${there}`)
    expect([several.code, several.err]).toEqual([2, expect.stringContaining('for one cluster')])
    const text = await readFile(lab.kubeconfig, 'utf8')
    const config = parse(text)
    for (const context of config.contexts) if (context.name === 'c3') context.name = 'renamed'
    await writeFile(lab.kubeconfig, stringify(config))
    const way = await lab.run(`federation unjoin old west --cluster-context renamed ${there}`)
    await writeFile(lab.kubeconfig, text)
    expect(way).toMatchObject({ code: 0 })
    expect(lab.objects().c3).toEqual(lab.before.c3)
    expect((await lab.run(`federation join old c3 --cluster-name west ${there}`)).code).toBe(0)
  })

  it('a context of that name that leads elsewhere by now does not mean it', async () => {
    const text = await readFile(lab.kubeconfig, 'utf8')
    const config = parse(text)
    for (const { name, context } of config.contexts)
      if (name === 'c3') Object.assign(context, { cluster: 'c2', user: 'c2-admin' })
    await writeFile(lab.kubeconfig, stringify(config))
    const r = await lab.run(`federation unjoin old c3 ${there}`)
    await writeFile(lab.kubeconfig, text)
    expect(r).toMatchObject({ code: 0, out: 'Cluster c3 is not a member of federation old: nothing to do\n' })
    expect(await json(`federation members old ${there}`)).toMatchObject([{ name: 'west', ready: true }])
  })

  it('it leaves with its workloads only when that is agreed to', async () => {
    const r = await lab.run(`federation unjoin old west --workloads delete ${there}`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('--yes')])
    expect((await lab.run(`federation unjoin old west --force --workloads delete --yes ${there}`)).code).toBe(2)
    expect((await lab.run(`federation unjoin old west --workloads delete --yes ${there} --timeout 20s`)).code).toBe(0)
    expect(lab.objects().c3).toEqual(lab.before.c3)
  })

  it('a run that was stopped says again what is to become of its workloads, and where the federation is', async () => {
    expect((await lab.run(`federation join old c3 --cluster-name west ${there}`)).code).toBe(0)
    const late = { agent: /^coe/, method: 'DELETE', path: /\/clusters\/west/ }
    lab.sandbox.faults.order({ ...late, effect: { kind: 'answer', status: 403, body: {} } })
    const r = await lab.run(`federation unjoin old west --workloads delete --yes ${there}`)
    expect(r.code).toBe(1)
    const [, again = ''] = /to continue, run: coe --standalone (.*)$/m.exec(r.err) ?? []
    expect(again).toBe(`federation unjoin old west --workloads delete --yes ${there}`)
    expect(await lab.run(again)).toMatchObject({ code: 0, out: 'Cluster west left federation old\n' })
  })

  it('that left goes on being no error, though nothing but the federation knew its name; what nobody knew is one', async () => {
    const again = await lab.run(`federation unjoin old west ${there}`)
    expect(again).toMatchObject({ code: 0, out: 'Cluster west is not a member of federation old: nothing to do\n' })
    for (const _ of ['once', 'and not believed the second time']) {
      const wrong = await lab.run(`federation unjoin old wets ${there}`)
      expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('no member and no context is called "wets"')])
    }
    // and is no failure of the federation's
    expect((await lab.run(`federation show old ${there} -f value -c status`)).out).toBe('UPDATE_COMPLETE\n')
  })

  it('one that is named twice leaves once', async () => {
    expect((await lab.run(`federation join old c3 --cluster-name west ${there}`)).code).toBe(0)
    const r = await lab.run(`federation unjoin old west c3 kube:c3 ${there}`)
    expect(r.code).toBe(0)
    expect(r.out).toBe(['west', 'c3', 'kube:c3'].map(c => `Cluster ${c} left federation old\n`).join(''))
    expect(await json(`federation members old ${there}`)).toEqual([])
  })

  it('one that does not answer any more leaves by force, and what is left on it is told', async () => {
    expect((await lab.run(`federation join old c2 ${there}`)).code).toBe(0)
    const c2 = lab.sandbox.cluster('c2')
    await c2.stop()
    const stuck = await lab.run(`federation unjoin old c2 ${there}`)
    expect([stuck.code, stuck.err]).toEqual([1, expect.stringContaining('--force')])
    const r = await lab.run(`federation unjoin old c2 --force --yes ${there}`)
    expect(r.code).toBe(0)
    expect(r.out).toContain('kubectl --context c2 delete clusterrole')
    expect(r.out).not.toContain('needs a context')
    expect(await json(`federation show old ${there}`)).toMatchObject({ members: [] })
    await c2.start()
  })

  it('one whose federation does not answer any more leaves by force, so that the federation can be deleted', async () => {
    expect((await lab.run(`federation join old c3 ${there}`)).code).toBe(0)
    const api = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'karmada-apiserver', namespace: 'fed-space' }
    await (await connectAdmin(lab.sandbox.host)).delete(api)
    const looked = async () => (await lab.run(`federation members old ${there}`)).code
    await expect.poll(looked, { timeout: 20_000 }).toBe(1)
    const stuck = await lab.run(`federation unjoin old c3 ${there}`)
    const mends = 'repair it: coe --standalone federation create old --host host\n'
    expect([stuck.code, stuck.err]).toEqual([1, expect.stringContaining(mends)])
    const [, force = ''] = /gone for good: coe --standalone (.*)$/m.exec(stuck.err) ?? []
    expect(force).toBe('federation unjoin old c3 --force')
    const r = await lab.run(`${force} --yes ${there}`)
    expect(r.code).toBe(0)
    expect(r.err).toMatch(
      /c3 detach: removing it from the record only, because the API of federation "old" refused the connection/,
    )
    expect(r.out).toContain('kubectl --context c3 delete clusterrole')
    expect(await json(`federation show old ${there}`)).toMatchObject({ members: [] })
    const keys = { apiVersion: 'v1', kind: 'Secret', name: 'admin-kubeconfig', namespace: 'fed-space' }
    await (await connectAdmin(lab.sandbox.host)).delete(keys)
    const locked = await lab.run(`federation kubeconfig old ${there}`)
    expect([locked.code, locked.err]).toEqual([
      3,
      expect.stringContaining('to continue, run: coe --standalone federation create old --host host\n'),
    ])
  })
})

describe('deleted, and its data kept', () => {
  it('can be finished when a run before did not come to its end', async () => {
    const host = await connectAdmin(lab.sandbox.host)
    const roles = (await host.list({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }, {})).items
    expect(roles.map(role => role.metadata.name)).toContain('coe-marks-fed-space')
    const path = /clusterroles\/coe-marks-fed-space/
    const effect = { kind: 'answer', status: 500 } as const
    const broken = lab.sandbox.host.faults.order({ method: 'DELETE', path, times: Infinity, effect })
    const { code } = await lab.run(`federation delete old --keep-data --yes ${there}`)
    broken.remove()
    expect(code).toBe(1)
    expect(broken.hits).toBeGreaterThan(0)
    // found by its record, which goes last
    expect((await lab.run(`federation show old ${there}`)).code).toBe(0)
  })

  it('leaves the namespace and the volume claim, and nothing else of it', async () => {
    const { code, out } = await lab.run(`federation delete old --keep-data --yes ${there}`)
    expect(code).toBe(0)
    const left = lab
      .objects()
      .host?.filter(o => !lab.before.host?.includes(o))
      .map(o => JSON.parse(o).key as string)
    expect(left?.filter(key => !/kube-root-ca|serviceaccounts/.test(key))).toEqual([
      'namespaces fed-space',
      'persistentvolumeclaims fed-space/data-etcd-0',
      'persistentvolumes *fed-space/data-etcd-0',
    ])
    expect(await readFile(lab.kubeconfig, 'utf8')).not.toContain('old')
    // told, with the line that takes them away
    expect(out).toContain('Kept on host "host": namespace fed-space')
    const [, rest = ''] = /delete them, too: coe --standalone (.*)$/m.exec(out) ?? []
    expect(await lab.run(rest)).toMatchObject({ code: 0 })
    expect(lab.objects().host).toEqual(lab.before.host)
  })
})

describe('in Magnum mode', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await startCloud()
  })
  afterAll(() => cloud.close())
  const lines = [
    'federation list --host c1',
    'federation create a --host c1 --expose nodeport',
    'federation create a --host c1 --context-name b',
    'federation create a --host c1 --file fed.yaml',
    'federation create a --host c1 --kubeconfig-out fed.kubeconfig',
    'federation create a --host c1 --adopt --join',
    'federation join a c2 --region eu',
    'federation unjoin a c2 --force --yes',
    'federation delete a --keep-data --yes',
    'federation status a',
  ]
  for (const line of lines) {
    it(`${line} is refused: Magnum would do something else`, async () => {
      const r = await cloud.run(line)
      expect([r.code, r.err]).toEqual([2, expect.stringContaining('standalone')])
    })
  }
})
