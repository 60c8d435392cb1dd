/** What people see of a federation at a terminal of 80 by 24, and what scripts get. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
  expect((await lab.run('federation create myfed --host host --expose nodeport')).code).toBe(0)
  expect((await lab.run('federation join myfed c2')).code).toBe(0)
})
afterAll(() => lab.close())

const json = async (line: string) => JSON.parse((await lab.run(`${line} -f json`)).out)
const certificates = (rows: { part: string }[]) => rows.filter(row => row.part === 'certificate')

describe('federation status', () => {
  it('fits: certificates that are good are one row, and all of them with --long', async () => {
    const { out } = await lab.run('federation status myfed', { tty: { stdout: true }, columns: 80 })
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(22)
    expect(Math.max(...lines.map(line => line.replace(/\x1b\[\d+m/g, '').length))).toBeLessThanOrEqual(80)
    expect(out).toMatch(/\| certificate \| 17 certificates +\| True +\| the first until/)
    expect(certificates(await json('federation status myfed'))).toHaveLength(1)
    expect(certificates(await json('federation status myfed --long'))).toHaveLength(17)
  })

  it('has numbers and times as such in JSON, and only there', async () => {
    const rows = await json('federation status myfed')
    const of = (part: string) => rows.find((row: { part: string }) => row.part === part)
    expect(of('component')).toMatchObject({ replicas: { ready: 1, wanted: 1 }, days_left: null })
    expect(of('member')).toMatchObject({ nodes: { ready: 2, total: 2 }, version: 'v1.34.10' })
    expect(of('api').version).toMatch(/^v1\./)
    expect(of('certificate').days_left).toBeGreaterThan(300)
    expect(Date.parse(of('certificate').expires_at)).toBeGreaterThan(Date.now())
    const csv = await lab.run('federation status myfed -f csv')
    expect(csv.out.split('\n')[0]).toBe('"part","name","healthy","detail"')
    const named = await lab.run('federation status myfed -f value -c part -c days_left')
    expect(named.out).toMatch(/^certificate \d+$/m)
  })
})

it('federation members has numbers as numbers in JSON, and short text elsewhere', async () => {
  expect(await json('federation members myfed')).toMatchObject([{ name: 'c2', nodes: { ready: 2, total: 2 } }])
  expect((await lab.run('federation members myfed -f value -c nodes')).out).toBe('2/2\n')
})

it('federation list has the host', async () => {
  const table = await lab.run('federation list', { tty: { stdout: true } })
  expect(table.out).toMatch(/\| name +\| hostcluster \| members \| status/)
  expect(table.out).toMatch(/\| myfed \| host +\|/)
  expect(await json('federation list')).toMatchObject([{ name: 'myfed', hostcluster: 'host', members: 1 }])
  expect((await lab.run('federation list --long')).out).toContain('| uuid')
})

describe('federation show', () => {
  it('has its API, context, namespace, driver and the version of the engine', async () => {
    const { out } = await lab.run('federation show myfed')
    expect(out).toMatch(/\| api_address +\| https:\/\/127\.[\d.]+:\d+ +\|/)
    for (const row of ['context_name   \\| myfed', 'namespace      \\| coe-fed-myfed', 'engine_version \\| v1.18.2'])
      expect(out).toMatch(new RegExp(`\\| ${row}`))
    expect(out).toMatch(/\| driver +\| karmada_v1 /)
    expect(out).not.toContain('settings')
    expect(out).toContain('| status_reason  | Federation UPDATE completed successfully |')
    const { out: status } = await lab.run('federation status myfed -f value -c detail')
    expect(status.split('\n')[0]).toBe('UPDATE_COMPLETE')
  })

  it('has no address where the Secret that holds it may not be read', async () => {
    const refusal = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403 }
    const fault = lab.sandbox.host.faults.order({
      path: /\/secrets/,
      times: Number.POSITIVE_INFINITY,
      effect: { kind: 'answer', status: 403, body: refusal },
    })
    expect(await json('federation show myfed')).toMatchObject({ name: 'myfed', api_address: null })
    fault.remove()
  })
})

describe('messages at a terminal', () => {
  const narrow = { tty: { stdin: true, stderr: true }, columns: 60, env: { NO_COLOR: '1' } }

  it('break between words, and leave lines to paste whole', async () => {
    const { code, err } = await lab.run('federation show myfed --host c2', narrow)
    expect(code).toBe(3)
    expect(err.split('\n')).toEqual([
      'coe: there is no federation "myfed" on host "c2" (standalone',
      'mode)',
      'hint: see those that it has:',
      'coe --standalone federation list --host c2',
      '',
    ])
  })

  it('say that a question was cancelled, by Ctrl-D or by another answer than yes', async () => {
    for (const input of ['', 'another\n']) {
      const { code, err } = await lab.run('federation delete myfed --unjoin', { ...narrow, input })
      expect([code, err]).toEqual([1, expect.stringMatching(/coe: cancelled: nothing was changed\n$/)])
    }
  })
})

it('-f value has one line for each row, whatever a log or an error holds; JSON has it as it is', async () => {
  const host = await connectAdmin(lab.sandbox.host)
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-federation', namespace: 'coe-fed-myfed' }
  const error = 'etcd does not start:\n  panic: no space\r\n  goroutine 1'
  const history = [{ verb: 'update', run: 'r', begun: '2026-01-01T00:00:00Z', result: 'failed', error }]
  await host.patch(ref, { data: { history: JSON.stringify(history) } }, { type: 'merge' })
  const reason = 'update: etcd does not start: panic: no space goroutine 1'
  const status = await lab.run('federation status myfed -f value')
  expect(status.out.split('\n')[0]).toBe(`federation myfed False UPDATE_FAILED: ${reason}`)
  expect((await lab.run('federation show myfed -f value -c status_reason')).out).toBe(`${reason}\n`)
  expect((await lab.run('federation list --long -f value -c status_reason')).out).toBe(`${reason}\n`)
  expect((await json('federation show myfed')).status_reason).toBe(`update: ${error}`)
  await rm(join(lab.home, '.local'), { recursive: true, force: true })
})
