/** What goes wrong on a real Magnum, and how coe tells it: exit codes, reasons, and what goes on without it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, openstackThere, type Scene, told } from './scene.ts'

const { COE_E2E_READER_CLOUD: reader, COE_E2E_OTHER_CLOUD: other, COE_E2E_BAD_CLOUD: bad } = process.env
let scene: Scene
let template: string
/** One that stands, and one that is being made for ever. */
let good: string
let stuck: string

beforeAll(async () => {
  if (!openstackThere) return
  scene = await openScene()
  template = await scene.makeTemplate('t', '--network-driver calico')
  good = scene.name('good')
  stuck = scene.name('stuck')
  await scene.ok(`cluster create ${good} --cluster-template ${template}`)
  await scene.ok(`cluster create ${stuck} --cluster-template ${template}`)
  await scene.ok(`cluster wait ${good}`)
})
afterAll(async () => {
  await scene?.close()
})

async function fails(line: string, code: number, settings?: { cloud?: string | undefined }): Promise<string> {
  const ended = await scene.run(line, settings)
  expect(ended.code, told(line, ended)).toBe(code)
  return ended.err
}

describe.runIf(openstackThere)('what goes wrong on a real Magnum', () => {
  it('a creation that fails: --wait exits 1 with the reason and the faults of each group', async () => {
    const name = scene.name('fail-create')
    const err = await fails(`cluster create ${name} --cluster-template ${template} --wait`, 1)
    expect(err).toContain(`cluster "${name}" is CREATE_FAILED: default-master failed, default-worker failed`)
    expect(err).toMatch(/default-worker: .+/)
  })

  it('a creation that never ends: --wait-timeout exits 7, and says how to look again', async () => {
    const err = await fails(`cluster wait ${stuck} --wait-timeout 15s`, 7)
    expect(err).toContain(
      `gave up waiting for cluster "${stuck}" to be complete after 15s; last seen: CREATE_IN_PROGRESS`,
    )
    expect(err).toContain(`coe cluster wait ${stuck}\n`)
  })

  it('a name that is taken: exit 5, and nothing is made', async () => {
    const err = await fails(`cluster create ${good} --cluster-template ${template}`, 5)
    expect(err).toContain(`cluster "${good}" exists already`)
    expect(err).toContain('--if-not-exists')
    const rows = await scene.json<unknown[]>(`cluster list --name ${good}`)
    expect(rows).toHaveLength(1)
    await scene.ok(`cluster create ${good} --cluster-template ${template} --if-not-exists`)
  })

  it('one of several that is not there: exit 6, and the others are done', async () => {
    const names = ['a-stuck', 'b-stuck'].map(what => scene.name(what))
    for (const name of names) await scene.ok(`cluster create ${name} --cluster-template ${template}`)
    for (const name of names) await scene.ok(`cluster wait ${name} --for status=CREATE_IN_PROGRESS`)
    const missing = scene.name('missing')
    const err = await fails(`cluster delete ${names[0]} ${missing} ${names[1]} --wait`, 6)
    expect(err).toContain(`no cluster "${missing}"`)
    for (const name of names) await fails(`cluster show ${name}`, 3)
  })

  it('a Magnum whose federations are a facade: told within a minute, exit 1, with the line that works', async () => {
    const name = scene.name('fed')
    const line = `federation create ${name} --hostcluster ${good}`
    const ended = await scene.run(line)
    expect(ended.code, told(line, ended)).toBe(1)
    // 15 s, and what a busy machine takes besides: test/cli/magnum/federation.test.ts knows it by the clock
    expect(ended.seconds).toBeLessThan(60)
    expect(ended.err).toContain('--standalone federation create')
    expect(await scene.json('federation list')).toEqual([])
  })

  it('what Magnum cannot change: refused at once, with the command that can', async () => {
    expect(await fails(`cluster update ${good} replace master_count=3`, 2)).not.toContain('HTTP')
  })

  it('a template in use: exit 5, and which clusters use it', async () => {
    const err = await fails(`cluster template delete ${template}`, 5)
    expect(err).toContain(`cluster template "${template}" is used by`)
    expect(err).toContain(stuck)
  })

  it('a name that is nearly right: exit 3, with the right one', async () => {
    expect(await fails(`cluster show ${good}x`, 3)).toContain(good)
  })

  it.runIf(bad)('a wrong password: exit 4, and where to look', async () => {
    const err = await fails('cluster list', 4, { cloud: bad })
    expect(err).toContain('Keystone refused the credentials')
    expect(err).toContain('coe config view --origin')
  })

  it.runIf(reader)('somebody who may only read: reads, and is refused the certificate, exit 4', async () => {
    expect(await scene.ok('cluster list -f value -c name', { cloud: reader })).toContain(good)
    expect(await fails(`ca show ${good}`, 4, { cloud: reader })).toContain('certificate:get')
  })

  it.runIf(other)('somebody of another project: exit 3 for what is not theirs, 4 for what is not allowed', async () => {
    expect(await fails(`cluster show ${good}`, 3, { cloud: other })).toContain(`no cluster "${good}"`)
    expect(await fails('quotas list', 4, { cloud: other })).toContain("Policy doesn't allow quota:get_all")
  })

  it('logs in once: the next command uses the token that the first has kept', async () => {
    await scene.ok('auth logout')
    const requests = async () => {
      const { err } = await scene.run('cluster list --debug')
      return err.match(/^(GET|POST) \S+ → \d+/gm)?.map(line => line.replace(/ \S+ → /, ' '))
    }
    expect(await requests()).toEqual(['POST 201', 'GET 200'])
    expect(await requests()).toEqual(['GET 200'])
  })

  it('Ctrl-C while it waits: exit 130, and it says that the work goes on', async () => {
    const running = scene.start(`cluster wait ${stuck}`)
    await running.says(/CREATE_IN_PROGRESS/)
    running.interrupt()
    const ended = await running.ended
    expect(ended.code, told('cluster wait', ended)).toBe(130)
    expect(ended.err).toContain(`stopped waiting for cluster "${stuck}"; Magnum continues the change`)
    expect((await scene.json(`cluster show ${stuck}`)).status).toBe('CREATE_IN_PROGRESS')
  })
})
