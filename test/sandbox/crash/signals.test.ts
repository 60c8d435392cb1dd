/** The built program, stopped by signals: what it says, how soon it ends, and that it goes on from there. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { isBuilt, runBuilt, tellingFaults } from './process.ts'
import { becomes, settled } from './state.ts'

const create = 'federation create myfed --host host --expose nodeport'
const silence = { agent: /^coe/, effect: { kind: 'silence-before' }, times: Number.POSITIVE_INFINITY } as const

describe.skipIf(!isBuilt)('a signal', () => {
  let telling: ReturnType<typeof tellingFaults>
  let lab: StandaloneLab
  beforeEach(async () => {
    telling = tellingFaults()
    lab = await startLab({ members: 0, faults: telling.faults })
  })
  afterEach(() => lab.close())

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a creation in good order, and its last line goes on with it', async (signal, code) => {
    const before = await settled(lab)
    const stopped = await runBuilt(lab, create, telling, (nth, child) => nth === 15 && child.kill(signal))
    expect(stopped).toMatchObject({ code, signal: null, out: '' })
    expect(stopped.err).toMatch(/^coe: stopped on the way to create federation "myfed": done so far: /m)
    expect(stopped.err).not.toMatch(/\bat .*\.js:\d/)
    const [, again = ''] = /go on with: coe --standalone (.*)$/m.exec(stopped.err) ?? []
    expect(again).toContain('federation create myfed')
    // nobody has to wait for a lock of it
    const went = await runBuilt(lab, again, telling)
    expect(went).toMatchObject({ code: 0 })
    expect(went.err).not.toContain('took over')
    expect(await lab.run('federation delete myfed --yes')).toMatchObject({ code: 0 })
    await becomes(lab, before, 'a creation that was stopped, finished and deleted')
  })

  it('twice ends it at once, whatever does not answer; and the next run needs not wait', async () => {
    let second = 0
    // two signals that come while a process has no turn are one: an impatient user presses more than twice
    let pressing: NodeJS.Timeout | undefined
    const stopped = await runBuilt(lab, create, telling, (nth, child) => {
      if (nth === 12) {
        telling.faults.order(silence)
        child.kill('SIGINT')
      }
      // a write after the stop: the run puts down that it was stopped, and nobody answers
      if (nth > 12 && second === 0) {
        second = Date.now()
        pressing = setInterval(() => child.kill('SIGINT'), 200)
      }
    }).finally(() => clearInterval(pressing))
    expect(second).toBeGreaterThan(0)
    expect(stopped).toMatchObject({ code: 130, signal: null })
    expect(Date.now() - second).toBeLessThan(8_000) // pressed once it says its last words, and gives its lock back: nine
    telling.faults.clear()
    expect(await runBuilt(lab, create, telling)).toMatchObject({ code: 0 })
  })

  it('once ends it in some seconds, though no server answers any more', async () => {
    let first = 0
    const stopped = await runBuilt(lab, create, telling, (nth, child) => {
      if (nth !== 12) return
      telling.faults.order(silence)
      first = Date.now()
      child.kill('SIGINT')
    })
    expect(stopped).toMatchObject({ code: 130, signal: null })
    expect(stopped.err).toContain('go on with: coe ')
    expect(Date.now() - first).toBeLessThan(30_000)
  })
})
