/** `--watch` of lists other than `cluster list`, of which cluster-wait.test.ts has the most. */
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import { betweenLooks, pressCtrlC } from '../support/ctrl-c.ts'
import { connectAdmin } from '../support/kube.ts'
import { type StandaloneLab, startLab } from '../support/standalone.ts'

/** Without the times. */
const linesOf = (out: string): string[] =>
  out
    .trim()
    .split('\n')
    .map(line => line.replace(/^\S+Z /, ''))

describe('what is watched in standalone mode', () => {
  let lab: StandaloneLab
  beforeAll(async () => {
    lab = await startLab()
    expect((await lab.run('federation create myfed --host host --expose nodeport')).code).toBe(0)
  })
  afterAll(() => lab.close())

  it('federation list tells of members that come', async () => {
    const r = await lab.run(
      'federation list --watch',
      betweenLooks(lab, 5_000, [() => lab.run('federation join myfed c2')]),
    )
    expect(r.code).toBe(130)
    expect(linesOf(r.out)).toEqual([
      'myfed CREATE_COMPLETE, 0 members',
      'myfed CREATE_COMPLETE, 0 members -> UPDATE_COMPLETE, 1 member',
    ])
    // what a look notes, it notes once
    expect(r.err.match(/--all-contexts/g)).toHaveLength(1)
  })

  it('federation list takes a host that does not answer for neither gone nor new, and says so once', async () => {
    const { host } = lab.sandbox
    const happenings = [() => host.stop(), () => {}, () => host.start()]
    const r = await lab.run('federation list --watch', betweenLooks(lab, 5_000, happenings))
    expect(linesOf(r.out)).toEqual(['myfed UPDATE_COMPLETE, 1 member'])
    expect(r.err.match(/warning: .*refused the connection/g)).toHaveLength(1)
  })

  it('federation members tells of those that come, fail and go', async () => {
    const line = 'federation members myfed --watch --interval 7s'
    const r = await lab.run(
      line,
      betweenLooks(lab, 7_000, [
        () => lab.run('federation join myfed c3'),
        () => lab.run('federation unjoin myfed c3'),
      ]),
    )
    expect(r.code).toBe(130)
    expect(linesOf(r.out)).toEqual([
      expect.stringMatching(/^c2 ready, v[\d.]+, 2\/2 nodes$/),
      expect.stringMatching(/^c3 new: ready, v[\d.]+/),
      'c3 gone',
    ])
  })

  it('federation members calls a join that is under way that, and not unfinished', async () => {
    let release = () => {}
    const until = new Promise<void>(resolve => {
      release = resolve
    })
    const fault = lab.sandbox
      .cluster('c3')
      .faults.order({ method: 'PATCH', agent: /v99/, nth: 1, effect: { kind: 'hold', until } })
    const join = lab.run('federation join myfed c3', { node: 'v99' })
    while (fault.hits === 0) await setImmediate()
    const { out } = await lab.run('federation members myfed -f value -c name -c reason')
    release()
    expect([(await join).code, out]).toEqual([0, expect.stringMatching(/^c3 it is joining$/m)])
    expect((await lab.run('federation unjoin myfed c3')).code).toBe(0)
  })

  it('federation status tells which part becomes another', async () => {
    const line = 'federation status myfed --watch'
    const stop = () => lab.sandbox.host.stop()
    const start = () => lab.sandbox.host.start()
    const scale = async (replicas: number) => {
      const api = await connectAdmin(lab.sandbox.host)
      const ref = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'karmada-scheduler',
        namespace: 'coe-fed-myfed',
      }
      await api.patch(ref, { spec: { replicas } }, { type: 'merge' })
    }
    const r = await lab.run(line, betweenLooks(lab, 5_000, [() => scale(3), stop, start]))
    expect(r.code).toBe(130)
    const lines = linesOf(r.out)
    expect(lines[0]).toBe('federation myfed healthy, UPDATE_COMPLETE')
    expect(lines.filter(l => l.startsWith('component karmada-scheduler'))).toEqual([
      'component karmada-scheduler healthy, 1 of 1 ready',
      expect.stringContaining('component karmada-scheduler healthy, 1 of 1 ready -> '),
    ])
    expect(r.err).toContain('refused the connection')
    await scale(1)
  })

  it('a federation that is not there ends it at once', async () => {
    const r = await lab.run('federation status nofed --watch', pressCtrlC(lab))
    expect([r.code, r.out]).toEqual([3, ''])
  })

  it('a table that is higher than the window is cut, or it would push itself out of it', async () => {
    const { out } = await lab.run('federation status myfed --watch --interval 5s', {
      tty: true,
      rows: 10,
      ...betweenLooks(lab, 5_000, []),
    })
    const lines = (out.split('\x1b[H\x1b[2J')[1] ?? '').replace('\x1b[J', '').split('\n')
    expect(lines).toHaveLength(10) // the last of them is the one that the cursor stands on
    expect(lines[0]).toContain('every 5s; Ctrl-C ends')
    expect(lines[8]).toMatch(/^… \d+ more lines: the window is too low$/)
  })

  it('what could not be asked stands below the table', async () => {
    await lab.sandbox.cluster('c3').stop()
    const { out } = await lab.run('federation list --watch --all-contexts', { tty: true, ...pressCtrlC(lab) })
    await lab.sandbox.cluster('c3').start()
    const page = out.split('\x1b[H\x1b[2J')[1] ?? ''
    expect(page).toMatch(/\| myfed [\s\S]*warning:.*c3.*refused the connection/)
  })
})

describe('what is watched in Magnum mode', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await startCloud({ clusters: 2 })
  })
  afterAll(() => cloud.close())

  it('nodegroup list', async () => {
    const line = 'nodegroup list cluster1 --watch --role gpu'
    const create = () => cloud.run('nodegroup create cluster1 more --role gpu --wait')
    const { code, out } = await cloud.run(line, betweenLooks(cloud, 5_000, [create]))
    expect(code).toBe(130)
    expect(linesOf(out)).toEqual(['more new: CREATE_COMPLETE, 1 node'])
  })

  it.each(['nodegroup list cluster1', 'federation list'])('%s --interval wants --watch', async line => {
    const { code, err } = await cloud.run(`${line} --interval 3s`)
    expect([code, err]).toEqual([2, expect.stringContaining('--interval has no effect without --watch')])
  })
})
