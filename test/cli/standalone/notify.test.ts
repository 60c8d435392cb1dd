/** Who hears of a change: Events on the record, the history in it, and a webhook. */
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

interface Heard {
  type: string
  subject: string
  data: Record<string, unknown>
}

let lab: StandaloneLab
let hook: Server
let answer = 204
const heard: Heard[] = []
let env: Record<string, string>

beforeAll(async () => {
  lab = await startLab({ members: 1 })
  hook = createServer((request, response) => {
    let body = ''
    request.on('data', d => {
      body += d
    })
    request.on('end', () => {
      if (request.headers['content-type'] === 'application/cloudevents+json') heard.push(JSON.parse(body))
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>(resolve => hook.listen(0, '127.0.0.1', resolve))
  env = { COE_WEBHOOK: `http://127.0.0.1:${(hook.address() as { port: number }).port}/hooks/webhook-key` }
})
afterAll(async () => {
  hook.close()
  await lab.close()
})

describe('a change', () => {
  it('is told to the webhook, from its start to its end, the end of a delete included', async () => {
    const lines = [
      'federation create told --host host --expose nodeport',
      'federation join told c2',
      'federation join told c9',
    ]
    for (const line of [...lines, 'federation unjoin told c2', 'federation delete told --yes'])
      await lab.run(line, { env })
    expect(heard.map(h => `${h.subject} ${h.type} ${h.data.about ?? ''}`.trim())).toEqual([
      'told coe.federation.create.started',
      'told coe.federation.create.done',
      'told coe.federation.join.started c2',
      'told coe.federation.join.done c2',
      'told coe.federation.unjoin.started c2',
      'told coe.federation.unjoin.done c2',
      'told coe.federation.delete.started',
      'told coe.federation.delete.done',
    ])
  })

  it('does not fail with the webhook, but says that it was not told; its address stays hidden', async () => {
    answer = 500
    const { code, err } = await lab.run('federation create deaf --host host --expose nodeport', { env })
    expect(code).toBe(0)
    expect(err).toContain('the webhook was not told: it answered HTTP 500')
    expect(err).not.toContain('webhook-key')
  })

  it('leaves Events on the record, for who looks with kubectl', async () => {
    const events = lab.sandbox.host.plane.store.list('events', 'coe-fed-deaf')
    const ours = events.filter(e => (e.involvedObject as { name: string } | undefined)?.name === 'coe-federation')
    expect(ours.map(e => String(e.reason)).sort()).toEqual(['CreateDone', 'CreateStarted'])
  })

  it('that fails on the way is told with its reason: to the webhook, in an Event, and in the record', async () => {
    answer = 204
    heard.length = 0
    const { code } = await lab.run('federation join deaf c2 --cluster-server https://127.0.0.1:9 --wait-timeout 1s', {
      env,
    })
    expect(code).toBe(7)
    expect(heard.map(h => h.type)).toEqual(['coe.federation.join.started', 'coe.federation.join.failed'])
    expect(heard[1]?.data.error).toMatch(/cannot join "c2" to federation "deaf": cluster: gave up waiting/)
    const events = lab.sandbox.host.plane.store.list('events', 'coe-fed-deaf')
    const failed = events.find(e => e.reason === 'JoinFailed')
    expect(failed).toMatchObject({ type: 'Warning', message: expect.stringContaining('https://127.0.0.1:9') })
    const [shown] = JSON.parse((await lab.run('federation list -f json')).out).filter(
      (f: { name: string }) => f.name === 'deaf',
    )
    expect(shown.status).toBe('UPDATE_FAILED')
    expect((await lab.run('federation unjoin deaf c2')).code).toBe(0)
  })

  it('whose end does not come into the record has failed, and is not told to be done', async () => {
    heard.length = 0
    const record = { agent: /^coe/, method: 'PUT', path: /configmaps\/coe-federation\b/ }
    // its start, what it changes, its end
    lab.sandbox.faults.order({ ...record, nth: 3, effect: { kind: 'answer', status: 403, body: {} } })
    expect((await lab.run('federation update deaf --property team=api', { env })).code).toBe(1)
    lab.sandbox.faults.clear()
    expect(heard.map(h => h.type)).toEqual(['coe.federation.update.started', 'coe.federation.update.failed'])
    expect((await lab.run('federation update deaf --property team=ops', { env })).code).toBe(0)
  })

  it('that is refused beforehand leaves no mark: the federation stays well', async () => {
    expect((await lab.run('federation join deaf host')).code).toBe(2)
    expect((await lab.run('federation show deaf -f value -c status')).out).toBe('UPDATE_COMPLETE\n')
    expect((await lab.run('federation status deaf')).code).toBe(0)
  })
})
