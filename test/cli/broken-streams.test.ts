/** Streams that take no more, with the program as it is installed: a process of its own. */
import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere', NODE_DISABLE_COMPILE_CACHE: '1' }

async function coe(line: string, { stdout = 'pipe' as 'pipe' | number, deaf = false }) {
  const child = spawn(process.execPath, [file('bin/coe.js'), ...line.split(' ')], {
    env,
    stdio: ['ignore', stdout, 'pipe'],
  })
  let out = ''
  let err = ''
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
})
