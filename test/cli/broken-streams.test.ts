/** Streams that take no more, with the program as it is installed: a process of its own. */
import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startCloud } from '../support/cloud.ts'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
/** A home in which nothing can be made: other tests count on it that what they call /nowhere is not there. */
const env = { PATH: '/usr/bin:/bin', HOME: '/dev/null', NODE_DISABLE_COMPILE_CACHE: '1' }

interface Ends {
  stdout?: 'pipe' | number
  /** Nobody reads its stderr. */
  deaf?: boolean
  /** Nobody reads its stdout. */
  gone?: boolean
  more?: Record<string, string>
}

async function coe(line: string, { stdout = 'pipe', deaf = false, gone = false, more = {} }: Ends) {
  const child = spawn(process.execPath, [file('bin/coe.js'), ...line.split(' ')], {
    env: { ...env, ...more },
    stdio: ['ignore', stdout, 'pipe'],
  })
  let out = ''
  let err = ''
  if (gone) child.stdout?.destroy()
  else
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
  if (deaf) child.stderr?.destroy()
  else
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  return { code, out, err }
}

describe.skipIf(!existsSync(file('dist/launch.cjs')))('a stream that takes no more', () => {
  it.runIf(existsSync('/dev/full'))('a full disk under the result is told in a line: exit 1', async () => {
    const { code, err } = await coe('help topics', { stdout: openSync('/dev/full', 'w') })
    expect(err).toBe('coe: cannot write the result: ENOSPC: no space left on device\n')
    expect(code).toBe(1)
  })

  it('whoever closes stderr ends nothing: the exit code is that of what was done', async () => {
    const nobody = 'http://127.0.0.1:1/v3'
    const line = `cluster list --debug --os-auth-url ${nobody} --os-username a --os-password b --os-project-name c`
    expect(await coe(line, { deaf: true })).toMatchObject({ code: 1 })
  })

  it('whoever closes stdout, as "head" does, ends no change half done: all is tried, and the exit code is true', async () => {
    const cloud = await startCloud({ clusters: 2 })
    const done = await coe('cluster delete cluster1 nosuch cluster2', { gone: true, more: cloud.env })
    const deleted = cloud.sandbox.log.all().filter(e => e.method === 'DELETE')
    const read = await coe('cluster list', { gone: true, more: cloud.env })
    await cloud.close()
    expect(done.err).toContain('coe: no cluster "nosuch"')
    expect([done.code, deleted.length]).toEqual([6, 2])
    expect([read.code, read.err]).toEqual([0, ''])
  })

  it('COLUMNS of the shell folds nothing that goes into a pipe', async () => {
    const cloud = await startCloud({ clusters: 1 })
    const read = (line: string, more = {}) => coe(line, { more: { ...cloud.env, ...more } })
    for (const line of ['cluster list', 'cluster list --fit-width', 'cluster show cluster1', 'help cluster create']) {
      const [narrow, usual] = await Promise.all([read(line, { COLUMNS: '40' }), read(line)])
      expect(narrow.code).toBe(0)
      expect(narrow.out).toBe(usual.out)
    }
    await cloud.close()
  })

  it('a watch ends with its reader', async () => {
    const cloud = await startCloud({ clusters: 1, speed: 1 })
    expect((await coe('cluster list --watch --interval 1s', { gone: true, more: cloud.env })).code).toBe(0)
    await cloud.close()
  })
})
