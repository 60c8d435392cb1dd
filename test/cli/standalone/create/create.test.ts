/** What may be said of a creation besides its host: when it ends, where the way in goes, and what it may take over. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAdmin } from '../../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
let before: Record<string, string[]>
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  before = lab.objects()
})
afterAll(() => lab.close())

const create = 'federation create myfed --host host --expose nodeport'
const remove = 'federation delete myfed --unjoin --yes --ignore-not-found --wait-timeout 5m'
const kubeconfig = () => readFile(lab.kubeconfig, 'utf8')
const at = (name: string) => join(lab.home, name)
const status = async () => JSON.parse((await lab.run('federation show myfed -f json')).out)

describe('--no-wait', () => {
  it('does what can be done at once, claims no success, and says how it goes on', async () => {
    const r = await lab.run(`${create} --no-wait`)
    expect(r.code).toBe(0)
    expect(r.out).toMatch(/is not ready yet on host "host"; starting: .*api-server/)
    expect(r.out).toMatch(/still to do: .*verification/)
    expect(r.out).toContain('Look at it with: coe --standalone federation status myfed')
    expect(r.out).toMatch(/The rest is done by: coe --standalone federation create myfed --host host$/m)
    expect(r.out).not.toMatch(/created|Use it with/)
    expect(await kubeconfig()).not.toContain('myfed')
  })

  it('leaves what is neither complete nor failed, nor healthy', async () => {
    expect(await status()).toMatchObject({
      status: 'CREATE_IN_PROGRESS',
      status_reason: expect.stringContaining('run it again'),
    })
    expect((await lab.run('federation status myfed')).code).toBe(1)
    expect((await lab.run('federation join myfed c2')).err).toContain('is not finished')
  })

  it('may be said again, until the run that finds all done', async () => {
    const results: string[] = []
    while (results.at(-1) !== 'created' && results.length < 20) {
      const r = await lab.run(`${create} --no-wait -f json`)
      expect(r.code).toBe(0)
      results.push(JSON.parse(r.out).result)
    }
    expect(new Set(results.slice(0, -1))).toEqual(new Set(['accepted']))
    expect((await lab.run('federation status myfed')).code).toBe(0)
    expect(await kubeconfig()).toContain('name: myfed')
    expect((await lab.run(remove)).code).toBe(0)
  })

  it('is finished by a run without it', async () => {
    expect((await lab.run(`${create} --no-wait`)).code).toBe(0)
    const r = await lab.run('federation create myfed --host host')
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('Federation myfed is created')])
    expect((await lab.run(remove)).code).toBe(0)
    expect(lab.objects()).toEqual(before)
  })

  it('and --wait exclude each other', async () => {
    expect((await lab.run(`${create} --wait --no-wait`)).code).toBe(2)
  })
})

describe('--kubeconfig-out', () => {
  const file = () => at('out/myfed.kubeconfig')

  it('gets the way in, and the own kubeconfig does not', async () => {
    const had = await kubeconfig()
    const r = await lab.run(`${create} --kubeconfig-out out/myfed.kubeconfig`)
    expect([r.code, r.out]).toEqual([0, expect.stringContaining(`kubectl --kubeconfig ${file()} --context myfed`)])
    expect(await kubeconfig()).toBe(had)
    expect(await readFile(file(), 'utf8')).toContain('current-context: myfed')
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect((await lab.run('cluster list --probe -f value -c name', { env: { KUBECONFIG: file() } })).code).toBe(0)
  })

  it('is remembered: the same without it writes nothing elsewhere, and mends the file', async () => {
    const had = await kubeconfig()
    expect((await lab.run(create)).out).toContain('unchanged')
    await writeFile(file(), '')
    expect((await lab.run('federation create myfed --host host')).out).toContain(`--kubeconfig ${file()}`)
    expect(await readFile(file(), 'utf8')).toContain('name: myfed')
    expect(await kubeconfig()).toBe(had)
  })

  it('may be one that has other contexts, which stay; each is cleaned when the federation goes', async () => {
    const other = at('other')
    await writeFile(other, lab.sandbox.kubeconfig)
    expect((await lab.run(`${create} --kubeconfig-out ${other}`)).code).toBe(0)
    expect(await readFile(other, 'utf8')).toMatch(/current-context: host\n/)
    const r = await lab.run(remove)
    expect(r).toMatchObject({ code: 0, out: 'Federation myfed is deleted.\n' })
    expect(await readFile(other, 'utf8')).toBe(lab.sandbox.kubeconfig)
    await expect(stat(file())).rejects.toThrow('ENOENT')
    expect(lab.objects()).toEqual(before)
  })

  it('of another machine is told of when the federation goes', async () => {
    expect((await lab.run(`${create} --kubeconfig-out ${at('there')}`)).code).toBe(0)
    const record = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-federation', namespace: 'coe-fed-myfed' }
    const notes = JSON.stringify([{ file: '/home/ann/fed', on: 'anns-laptop', made: true }])
    const host = await connectAdmin(lab.sandbox.host)
    await host.patch(record, { data: { kubeconfigs: notes } }, { type: 'merge' })
    const r = await lab.run(remove)
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('On anns-laptop, the file /home/ann/fed still has')])
  })

  const refused: [why: string, content: string | undefined, code: number, says: string][] = [
    ['holds a text', 'dear diary', 5, 'is not a kubeconfig'],
    ['holds other YAML', 'apiVersion: v1\nkind: Secret\n', 5, 'is not a kubeconfig'],
    ['holds keys of something else', 'replicas: 3\n', 5, 'is not a kubeconfig'],
    ['has a context of that name', 'contexts:\n- name: myfed\n  context: {cluster: a, user: a}\n', 5, '--context-name'],
    ['is a folder', undefined, 2, 'is a folder'],
  ]
  it.each(refused)('is refused when it %s, before anything is made', async (_, content, code, says) => {
    const path = at('refused')
    await rm(path, { recursive: true, force: true })
    await (content === undefined ? mkdir(path) : writeFile(path, content))
    const r = await lab.run(`${create} --kubeconfig-out ${path}`)
    expect([r.code, r.err]).toEqual([code, expect.stringContaining(says)])
    if (content !== undefined) expect(await readFile(path, 'utf8')).toBe(content)
    expect(lab.objects()).toEqual(before)
  })

  it('is no device, nor standard output', async () => {
    expect((await lab.run(`${create} --kubeconfig-out /dev/null`)).err).toContain('not a regular file')
    expect((await lab.run(`${create} --kubeconfig-out -`)).err).toContain(
      'coe --standalone federation kubeconfig myfed',
    )
  })
})
