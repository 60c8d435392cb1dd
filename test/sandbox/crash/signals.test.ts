/** The built program, stopped by signals: its messages, how soon it ends, and that the next run resumes. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'
import { isBuilt, reportingFaults, runBuilt } from './process.ts'
import { becomes, stateAtRest } from './state.ts'

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const create = 'federation create myfed --host host --expose nodeport'
const silence = { agent: /^coe/, effect: { kind: 'silence-before' }, times: Number.POSITIVE_INFINITY } as const

describe.skipIf(!isBuilt)('a signal', () => {
  let telling: ReturnType<typeof reportingFaults>
  let lab: StandaloneLab
  beforeEach(async () => {
    telling = reportingFaults()
    lab = await startLab({ members: 0, faults: telling.faults })
  })
  afterEach(() => lab.close())

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a creation in good order, and its last line goes on with it', async (signal, code) => {
    const before = await stateAtRest(lab)
    const stopped = await runBuilt(lab, create, telling, (nth, child) => nth === 15 && child.kill(signal))
    expect(stopped).toMatchObject({ code, signal: null, out: '' })
    expect(stopped.err).toMatch(/^coe: interrupted before it could create federation "myfed": \d+ of 15 steps done: /m)
    expect(stopped.err).not.toMatch(/\bat .*\.js:\d/)
    const [, again = ''] = /to continue, run: coe --standalone (.*)$/m.exec(stopped.err) ?? []
    expect(again).toContain('federation create myfed')
    // the next run need not wait for its lock
    const went = await runBuilt(lab, again, telling)
    expect(went).toMatchObject({ code: 0 })
    expect(went.err).not.toContain('took over')
    expect(await lab.run('federation delete myfed --yes')).toMatchObject({ code: 0 })
    await becomes(lab, before, 'a creation that was stopped, finished and deleted')
  })

  it('SIGHUP more than once, as from a terminal that closes, does not disturb the orderly end', async () => {
    const stopped = await runBuilt(lab, create, telling, (nth, child) => nth >= 15 && child.kill('SIGHUP'))
    expect(stopped).toMatchObject({ code: 129, signal: null })
    expect(stopped.err).toContain('to continue, run: coe ')
    expect(await lab.run('federation show myfed -c status_reason -f value')).toMatchObject({
      out: expect.stringContaining('create: interrupted before it could create'),
    })
  })

  it.each([
    ['nohup', ['nohup'], '/usr/bin/nohup'],
    // a command after it keeps the shell running, like a script started with nohup
    ['a script that ignores it', ['sh', '-c', `trap '' HUP; "$@"; exit $?`, 'sh'], '/usr/bin/sh'],
    // nohup started by a shell that sets no `_`; the shell here redirects the streams as nohup would
    ['nohup, told by its input', ['sh', '-c', 'exec "$@" 0>/dev/null', 'sh'], '/usr/bin/sh'],
    ['nohup, told by its output', ['sh', '-c', 'exec "$@" >nohup.out', 'sh'], '/usr/bin/sh'],
  ])('SIGHUP under %s ends nothing', async (_, through, started) => {
    const pids = (pid: number | undefined) => [pid, ...childrenOf(pid ?? 0)].filter(p => p !== undefined)
    const went = await runBuilt(
      lab,
      create,
      telling,
      (nth, child) => nth >= 12 && nth <= 20 && pids(child.pid).forEach(pid => void process.kill(pid, 'SIGHUP')),
      { through, more: { _: started } }, // as set by an interactive shell
    )
    expect(went).toMatchObject({ code: 0, signal: null, err: expect.not.stringContaining('stopped') })
    expect(await lab.run('federation show myfed -c status -f value')).toMatchObject({ out: 'CREATE_COMPLETE\n' })
  })

  it('twice ends it at once, even if servers do not answer, and the next run need not wait', async () => {
    let second = 0
    // two signals that arrive while the process is not scheduled become one: an impatient user presses more than twice
    let pressing: NodeJS.Timeout | undefined
    const stopped = await runBuilt(lab, create, telling, (nth, child) => {
      if (nth === 12) {
        telling.faults.order(silence)
        child.kill('SIGINT')
      }
      // a write after the stop: the run records that it was stopped, and no server answers
      if (nth > 12 && second === 0) {
        second = Date.now()
        pressing = setInterval(() => child.kill('SIGINT'), 200)
      }
    }).finally(() => clearInterval(pressing))
    expect(second).toBeGreaterThan(0)
    expect(stopped).toMatchObject({ code: 130, signal: null })
    expect(Date.now() - second).toBeLessThan(8_000) // pressed once, it prints its last message and releases its lock: nine
    telling.faults.clear()
    expect(await runBuilt(lab, create, telling)).toMatchObject({ code: 0 })
  })

  it('once ends it in a few seconds, even if no server answers any more', async () => {
    let first = 0
    const stopped = await runBuilt(lab, create, telling, (nth, child) => {
      if (nth !== 12) return
      telling.faults.order(silence)
      first = Date.now()
      child.kill('SIGINT')
    })
    expect(stopped).toMatchObject({ code: 130, signal: null })
    expect(stopped.err).toContain('to continue, run: coe ')
    expect(Date.now() - first).toBeLessThan(30_000)
  })
})
