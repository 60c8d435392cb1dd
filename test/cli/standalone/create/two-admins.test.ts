/** Context names are private to one machine: two administrators call the same clusters by names of their own. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { ClusterApi } from '../../../../src/kube/api/cluster-api.ts'
import { connectAdmin } from '../../../support/kube.ts'
import type { RunResult } from '../../../support/run.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let host: ClusterApi
beforeAll(async () => {
  lab = await startLab()
  host = await connectAdmin(lab.sandbox.host)
})
afterAll(() => lab.close())

/** A machine with a kubeconfig and a memory of its own. */
async function admin(name: string, renamed: Record<string, string>) {
  const home = join(lab.home, name)
  await mkdir(home)
  const config = parse(lab.sandbox.kubeconfig)
  for (const context of config.contexts) context.name = renamed[context.name] ?? context.name
  config['current-context'] = config.contexts[0].name
  const KUBECONFIG = join(home, 'kubeconfig')
  await writeFile(KUBECONFIG, stringify(config), { mode: 0o600 })
  const run = (line: string): Promise<RunResult> => lab.run(line, { home, env: { KUBECONFIG, HOME: home } })
  return {
    run,
    async json(line: string) {
      const { code, out, err } = await run(`${line} -f json`)
      expect({ line, code, err: code === 0 ? '' : err }).toEqual({ line, code: 0, err: '' })
      return JSON.parse(out)
    },
    contexts: async () => parse(await readFile(KUBECONFIG, 'utf8')).contexts.map((c: { name: string }) => c.name),
  }
}
type Admin = Awaited<ReturnType<typeof admin>>

const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }
const namespace = 'coe-fed-myfed'
const recordRef = { ...configMap, namespace, name: 'coe-federation' }
const markRef = { ...configMap, namespace: 'kube-system', name: 'coe-membership' }
const memberRef = (name: string) => ({ ...configMap, namespace, name: `coe-member-${name}` })

describe('two administrators', () => {
  let one: Admin
  let other: Admin
  beforeAll(async () => {
    one = await admin('one', {})
    other = await admin('other', { host: 'prod-eu', c2: 'emea', c3: 'apac' })
  })
  const create = (at: string) => `federation create myfed --host ${at} --expose nodeport`

  it('see "unchanged", one after the other', async () => {
    expect((await one.json(create('host'))).result).toBe('created')
    expect((await one.json('federation join myfed c2'))[0].result).toBe('joined')
    // a context for it is what the other one lacks
    expect((await other.json(create('prod-eu'))).result).toBe('updated')
    for (const [who, at, member] of [
      [one, 'host', 'c2'],
      [other, 'prod-eu', 'emea'],
      [one, 'host', 'c2'],
    ] as const) {
      expect((await who.json(`${create(at)} --dry-run`)).result).toBe('unchanged')
      expect((await who.json(create(at))).result).toBe('unchanged')
      expect((await who.json(`federation join myfed ${member}`))[0].result).toBe('unchanged')
    }
  })

  it('leave no name of a context in a record', async () => {
    const data = (await host.get(recordRef))?.data ?? {}
    expect(data).not.toHaveProperty('context-name')
    expect(Object.keys(JSON.parse(data.host ?? ''))).toEqual(['uid'])
    expect(JSON.stringify(data)).not.toMatch(/prod-eu|emea/)
    expect((await host.get(memberRef('c2')))?.data).not.toHaveProperty('reference')
    const member = await connectAdmin(lab.sandbox.cluster('c2'))
    expect((await member.get(markRef))?.data).toEqual({ federation: 'myfed', uuid: expect.any(String), member: 'c2' })
  })

  it('are each shown the names that they know', async () => {
    const recipe = async (who: Admin) => parse((await who.run('federation show myfed -f yaml')).out)
    expect(await recipe(one)).toMatchObject({ hostcluster: 'host', context_name: 'myfed', members: ['c2'] })
    expect(await recipe(other)).toMatchObject({
      hostcluster: 'prod-eu',
      members: [{ cluster: 'emea', name: 'c2' }],
    })
    expect((await other.json('federation list'))[0]).toMatchObject({ name: 'myfed' })
  })

  it('take out what the other joined, by any name, with their own access', async () => {
    expect((await other.json('federation join myfed apac --cluster-name third'))[0].result).toBe('joined')
    expect(JSON.parse((await host.get(recordRef))?.data?.history ?? '').at(-1).about).toBe('third')
    lab.sandbox.log.clear()
    expect((await one.json('federation unjoin myfed c3'))[0].result).toBe('unjoined')
    expect(lab.sandbox.log.writes().some(w => w.service === 'kube:c3' && w.agent.startsWith('coe/'))).toBe(true)
    expect((await other.json('federation unjoin myfed third'))[0].result).toBe('unchanged')
    expect((await other.json('federation unjoin myfed emea'))[0].result).toBe('unjoined')
    expect((await one.json('federation join myfed c2'))[0].result).toBe('joined')
  })

  it('keep the contexts that they have: the name of the first one that leads to it is used again', async () => {
    const third = await admin('third', {})
    const merged = await third.run('federation kubeconfig myfed --host host --merge --context-name theirs')
    expect(merged.code).toBe(0)
    const r = await third.run('federation create myfed --host host')
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('unchanged')])
    expect(r.out).toContain('kubectl --context theirs')
    expect(await third.contexts()).not.toContain('myfed')
  })

  it("and nobody's context becomes the administrator's", async () => {
    const fourth = await admin('fourth', {})
    const merged = await fourth.run('federation kubeconfig myfed --host host --user joe --merge --context-name joes')
    expect(merged.code).toBe(0)
    const r = await fourth.run('federation create myfed --host host')
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('kubectl --context myfed')])
    expect(await fourth.contexts()).toEqual(expect.arrayContaining(['joes', 'myfed']))
  })
})

it('a record of an earlier version, which has such names, is read, and loses them with the next change', async () => {
  const me = await admin('me', {})
  const { uid } = JSON.parse((await host.get(recordRef))?.data?.host ?? '')
  const asBefore = { 'context-name': 'old-name', host: JSON.stringify({ reference: 'old-host', uid }) }
  await host.patch(recordRef, { data: asBefore }, { type: 'merge' })
  await host.patch(memberRef('c2'), { data: { reference: 'old-c2' } }, { type: 'merge' })
  const recipe = parse((await me.run('federation show myfed --host host -f yaml')).out)
  expect(recipe).toMatchObject({ hostcluster: 'host', context_name: 'myfed', members: ['c2'] })
  expect((await me.json('federation create myfed --host host')).result).toBe('updated')
  expect((await me.json('federation create myfed --host host')).result).toBe('unchanged')
  expect((await host.get(recordRef))?.data).not.toHaveProperty('context-name')
  await me.json('federation join myfed c2')
  expect((await me.json('federation join myfed c2'))[0].result).toBe('unchanged')
  expect((await me.json('federation unjoin myfed c2'))[0].result).toBe('unjoined')
  expect(await me.run('federation delete myfed --yes')).toMatchObject({ code: 0 })
})
