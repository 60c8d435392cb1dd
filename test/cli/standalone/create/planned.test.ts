/** A dry run over a federation that stands: each step is looked at, and nothing is written, locked or told. */

import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let hook: Server
let told = 0
const create = 'federation create myfed --host host'
const member = 'federation join myfed c2'

beforeAll(async () => {
  hook = createServer((_, response) => {
    told++
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => hook.listen(0, '127.0.0.1', resolve))
  lab = await startLab()
  expect((await lab.run(`${create} --expose nodeport`)).code).toBe(0)
  expect((await lab.run(member)).code).toBe(0)
})
afterAll(async () => {
  hook.close()
  await lab.close()
})

interface Entry {
  action: string
  target: string
  step?: string
}

/** Asserts of each dry run that it only looked. */
async function planned(line: string): Promise<{ out: string; err: string; code: number; requests: number }> {
  lab.sandbox.log.clear()
  told = 0
  const env = { COE_WEBHOOK: `http://127.0.0.1:${(hook.address() as { port: number }).port}/` }
  const { code, out, err } = await lab.run(`${line} --dry-run`, { env })
  const mine = <T extends { agent: string }>(all: readonly T[]) => all.filter(({ agent }) => agent.startsWith('coe/'))
  expect(mine(lab.sandbox.log.writes())).toEqual([])
  expect(mine(lab.sandbox.log.all()).filter(({ url }) => url.includes('/leases'))).toEqual([])
  expect(told).toBe(0)
  return { code, out, err, requests: mine(lab.sandbox.log.all()).length }
}

async function entries(line: string): Promise<{ result: string; all: Entry[]; named: string[] }> {
  const { code, out } = await planned(`${line} -f json`)
  expect(code).toBe(0)
  const parsed = JSON.parse(out)
  const { result, planned: all } = (Array.isArray(parsed) ? parsed[0] : parsed) as { result: string; planned: Entry[] }
  const named = all.flatMap(e => (e.action === 'unchanged' ? [] : `${e.step ?? ''} ${e.action} ${e.target}`.trim()))
  return { result, all, named }
}

const webhook = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'karmada-webhook', namespace: 'coe-fed-myfed' }

describe('over one that is whole', () => {
  it('says of each step that it is unchanged, and that nothing would change, with few requests', async () => {
    const { code, out, requests } = await planned(create)
    expect([code, out.split('\n')[0]]).toEqual([0, 'plan to create federation "myfed": 15 steps; nothing would change'])
    expect(out.match(/: unchanged$/gm)).toHaveLength(15)
    expect(out).toMatch(/\nNothing would change\.\n$/)
    expect(requests).toBeLessThanOrEqual(36)
  })

  it('is "unchanged" as JSON, with an entry for each step', async () => {
    const { result, all, named } = await entries(create)
    expect([result, all.length, named]).toEqual(['unchanged', 15, []])
    expect(all[3]).toEqual({
      action: 'unchanged',
      target: 'api-server: the federation\'s API server, on host "host"',
      step: 'api-server',
    })
  })

  it('says the same of a member', async () => {
    const { out } = await planned(member)
    expect(out).toContain('Cluster c2 is already a member of federation myfed: nothing to do\n')
    expect(out).toContain('6 steps; nothing would change')
    expect(await entries(member)).toMatchObject({ result: 'unchanged', named: [] })
  })

  it('misses the context that leads there', async () => {
    const empty = join(lab.home, 'other')
    await writeFile(empty, lab.sandbox.kubeconfig)
    const { out } = await lab.run(`${create} --dry-run`, { env: { KUBECONFIG: empty } })
    expect(out).toContain('15 steps; nothing would change')
    expect(out).toContain('   ~ context "myfed"\n\nNothing was changed.')
  })
})

describe('with other settings', () => {
  it('names what would change, and the record of them', async () => {
    const { out } = await planned(`${create} --image-registry mirror.example.com --property team=a`)
    expect(out).toContain(': 15 steps; 7 change something\n')
    expect(out).toMatch(/^12\. webhook: .*: would change\n {3}~ Deployment coe-fed-myfed\/karmada-webhook$/m)
    expect(out).toMatch(/^1\. expose: .*: unchanged$/m)
    expect(out).toContain("   ~ the federation's record: settings, properties")
  })

  it('says what can be known only after a step', async () => {
    const { out } = await planned(`${create} --expose loadbalancer`)
    expect(out).toContain(': 15 steps; 1 changes something, 14 depend on earlier steps\n')
    expect(out).toContain('   ~ Service coe-fed-myfed/karmada-apiserver')
    expect(out).toMatch(
      /^2\. certificates: .*: known after expose\n {3}\? Secret coe-fed-myfed\/certificate-authorities$/m,
    )
  })

  it('names what would change of a member', async () => {
    const { result, named } = await entries(`${member} --region eu`)
    expect([result, named]).toEqual(['planned', ['cluster change Cluster c2 on federation "myfed"']])
  })

  it('says so too where a webhook of the host takes no dry runs', async () => {
    const message = 'admission webhook "policy.example.com" does not support dry run'
    const body = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'BadRequest', code: 400, message }
    const fault = lab.sandbox.faults.order({
      service: 'kube:host',
      path: /dryRun=All/,
      times: Number.POSITIVE_INFINITY,
      effect: { kind: 'answer', status: 400, body },
    })
    const { out } = await planned(`${create} --image-registry mirror.example.com`)
    fault.remove()
    expect(out).toContain(': 15 steps; 7 change something\n')
  })

  it('is refused where the run would be: fields that somebody else has set', async () => {
    const host = await connectAdmin(lab.sandbox.host)
    const replicas = { path: '/apis/apps/v1/namespaces/coe-fed-myfed/deployments/karmada-webhook' }
    await host.raw({
      method: 'PATCH',
      ...replicas,
      query: { fieldManager: 'somebody' },
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { replicas: 3 } }),
    })
    const { code, err } = await planned(create)
    expect([code, err]).toEqual([5, expect.stringMatching(/webhook: .*somebody[\s\S]*--adopt takes it back/)])
    expect((await entries(`${create} --adopt`)).named).toEqual([
      'webhook change Deployment coe-fed-myfed/karmada-webhook on host "host"',
    ])
    expect((await lab.run(`${create} --adopt`)).code).toBe(0)
    expect((await entries(create)).named).toEqual([])
  })
})

describe('with something gone', () => {
  it('names what would be created, and what that lets be tried', async () => {
    const host = await connectAdmin(lab.sandbox.host)
    await host.delete(webhook)
    const { out } = await planned(create)
    expect(out).toContain(': 15 steps; 1 changes something, 1 depends on earlier steps\n')
    expect(out).toMatch(/^12\. webhook: .*: would create\n {3}\+ Deployment coe-fed-myfed\/karmada-webhook$/m)
    expect(out).toMatch(/^15\. verification: .*: known after webhook$/m)
    expect((await lab.run(create)).code).toBe(0)
    expect((await entries(create)).result).toBe('unchanged')
  })

  it('waits for nothing that is not ready, and says what would be waited for', async () => {
    const silent = lab.sandbox.faults.order({
      path: /\/readyz/,
      times: Number.POSITIVE_INFINITY,
      effect: { kind: 'answer', status: 500 },
    })
    const { code, out } = await planned(create)
    silent.remove()
    expect(code).toBe(0)
    expect(out).toMatch(/^5\. endpoint: .*: unchanged, and not ready yet \(https:.* answers with HTTP 500\)$/m)
    expect(out).toMatch(/^6\. rights: .*: known after endpoint$/m)
  })
})
