/** A kubeconfig that several users share: it stays as shared as it was, and coe says what that means. */
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isBuilt, runBuilt } from '../../sandbox/crash/process.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: 0 })
})
afterAll(() => lab.close())

const permissions = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)

it('keeps its mode, with a warning where others may read what was written', async () => {
  const create = 'federation create myfed --host host --expose nodeport'
  const warning = new RegExp(`^warning: other users of this machine may read ${lab.kubeconfig}, .*: chmod go= `, 'm')
  await chmod(lab.kubeconfig, 0o640)
  const made = await lab.run(create)
  expect(made).toMatchObject({ code: 0, err: expect.stringMatching(warning) })
  expect(await permissions(lab.kubeconfig)).toBe('640')
  const again = await lab.run(create)
  expect(again).toMatchObject({ code: 0, err: expect.not.stringMatching(warning) }) // nothing was written
  const out = join(lab.home, 'out')
  await writeFile(out, '', { mode: 0o600 })
  const own = await lab.run(`${create} --kubeconfig-out ${out}`)
  expect(own).toMatchObject({ code: 0, err: expect.not.stringMatching(warning) })
  expect(await permissions(out)).toBe('600')
})

it.runIf(isBuilt && getuid?.() === 0)('keeps its owner where somebody else may write it', async () => {
  const before = await stat(lab.kubeconfig)
  await chmod(lab.kubeconfig, 0o666)
  await chmod(lab.home, 0o777)
  const merged = await runBuilt(
    lab,
    'federation kubeconfig myfed --merge --context-name second',
    { onWrite() {} },
    undefined,
    {
      through: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
      more: { NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  )
  expect(merged).toMatchObject({ code: 0 })
  const { uid, gid, ino } = before
  expect(await stat(lab.kubeconfig)).toMatchObject({ uid, gid, ino, mode: 0o100666 })
  expect((await readdir(lab.home)).filter(name => /^kubeconfig./.test(name) || name.endsWith('.tmp'))).toEqual([])
})
