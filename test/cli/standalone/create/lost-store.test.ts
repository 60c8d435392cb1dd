/** A federation whose etcd lost its data, with its pod or its volume: it says so, is made good again, and taken apart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../../../src/core/poll.ts'
import { systemClock } from '../../../../src/core/time.ts'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
const create = 'federation create forgetful --host host'
const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'coe-fed-forgetful' }

beforeAll(async () => {
  lab = await startLab({ members: 1 })
  expect((await lab.run(`${create} --expose nodeport --storage emptydir`)).code).toBe(0)
  expect((await lab.run('federation join forgetful c2')).code).toBe(0)
})
afterAll(() => lab.close())

async function status(): Promise<{ code: number; parts: Record<string, [healthy: string, detail: string]> }> {
  const { code, out } = await lab.run('federation status forgetful -f json')
  const rows: { part: string; name: string; healthy: boolean | null; detail: string }[] = JSON.parse(out)
  return { code, parts: Object.fromEntries(rows.map(r => [`${r.part} ${r.name}`, [String(r.healthy), r.detail]])) }
}
const members = async () => (await lab.run('federation members forgetful -f value -c name -c ready -c reason')).out
const shownReason = async () => JSON.parse((await lab.run('federation show forgetful -f json')).out).status_reason

const until = (isSo: () => Promise<boolean>, what: string) =>
  poll(async () => (await isSo()) || undefined, { clock: systemClock, timeoutMs: 20_000, intervalMs: 50, what })

async function loseData(): Promise<void> {
  const host = await connectAdmin(lab.sandbox.host)
  const uid = async (name: string) => (await host.get({ ...pod, name }))?.metadata.uid
  const before = await uid('etcd-0')
  await host.delete({ ...pod, name: 'etcd-0' })
  const isBack = async () =>
    (await uid('etcd-0')) !== before && (await status()).parts['component etcd']?.[0] === 'true'
  await until(isBack, 'etcd is back')
}

describe('an API that goes on with what it remembers', () => {
  beforeAll(loseData)

  it('is not healthy, and status names what makes it good', async () => {
    const { code, parts } = await status()
    expect(code).toBe(1)
    const [healthy, detail] = parts['object Data in etcd'] ?? []
    expect(healthy).toBe('false')
    expect(detail).toContain(`coe --standalone ${create}`)
    expect(parts['member c2']).toEqual([
      'null',
      'the federation no longer has it: join it again: coe --standalone federation join forgetful c2',
    ])
    expect(await members()).toContain('c2 None the federation no longer has it')
  })

  it('is told by show', async () => {
    expect(await shownReason()).toContain(`coe --standalone ${create}`)
  })

  it('takes no member, which would be registered and forgotten', async () => {
    const { code, err } = await lab.run('federation join forgetful c2')
    expect(code).toBe(1)
    expect(err).toContain(`coe --standalone ${create}`)
  })

  it('is planned to be started anew', async () => {
    const { code, out } = await lab.run([...create.split(' '), '--dry-run', '-f', 'json'])
    expect(code).toBe(0)
    const { planned } = JSON.parse(out) as { planned: { action: string; target: string }[] }
    expect(planned.filter(p => p.target.startsWith('endpoint')).map(p => p.action)).not.toEqual(['unchanged'])
  })

  it('knows after create what its etcd has, and takes its member again', async () => {
    expect((await lab.run(create)).code).toBe(0)
    expect((await status()).parts['object Data in etcd']).toBeUndefined()
    expect(await members()).toBe('c2 None the federation no longer has it: join it again\n')
    expect((await lab.run('federation join forgetful c2')).code).toBe(0)
    expect((await status()).code).toBe(0)
    expect(await shownReason()).toBe('Federation UPDATE completed successfully')
  })
})

describe('an API that has started anew since', () => {
  beforeAll(async () => {
    await loseData()
    const host = await connectAdmin(lab.sandbox.host)
    const servers = await host.list(pod, { labels: 'app.kubernetes.io/name=karmada-apiserver' })
    for (const { metadata } of servers.items) await host.delete({ ...pod, name: metadata.name ?? '' })
    const hasForgotten = async () => (await status()).parts['object Kinds of Karmada'] !== undefined
    await until(hasForgotten, 'the API has started anew')
  })

  it('is told by status and show', async () => {
    const { code, parts } = await status()
    expect(code).toBe(1)
    expect(parts['object Kinds of Karmada']?.[1]).toContain(`coe --standalone ${create}`)
    expect(parts['member c2']?.[0]).toBe('null')
    expect(await shownReason()).toContain(`coe --standalone ${create}`)
    expect((await lab.run('federation join forgetful c2')).code).toBe(1)
  })

  it('leaves nothing on a member that it has forgotten', async () => {
    expect((await lab.run(create)).code).toBe(0)
    expect((await lab.run('federation delete forgetful --unjoin --yes')).code).toBe(0)
    expect(lab.objects()).toEqual(lab.before)
  })
})

it('names single kinds that were deleted, and create brings them back', async () => {
  expect((await lab.run('federation create partly --host host --expose nodeport --storage emptydir')).code).toBe(0)
  const api = lab.sandbox.federation('coe-fed-partly')
  const name = 'works.work.karmada.io'
  api?.plane.store.remove('customresourcedefinitions.apiextensions.k8s.io', undefined, name)
  const kinds = async () => {
    const { code, out } = await lab.run('federation status partly -f value -c part -c name -c detail')
    return { code, line: out.split('\n').find(line => line.startsWith('object')) ?? '' }
  }
  const broken = await kinds()
  expect(broken.code).toBe(1)
  expect(broken.line).toContain(name)
  expect((await lab.run('federation create partly --host host')).code).toBe(0)
  expect(await kinds()).toEqual({ code: 0, line: '' })
  expect((await lab.run('federation delete partly --yes')).code).toBe(0)
})
