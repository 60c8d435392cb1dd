/** `coe sandbox`: a simulated cloud around a command, and one in the background. The real program, since it starts itself again. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordOptions } from '../support/option-use.ts'
import { runCoe } from '../support/run.ts'

const bin = fileURLToPath(new URL('../../bin/coe.js', import.meta.url))
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coe-test-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

async function coe(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  await recordOptions(args)
  const whole = { PATH: process.env.PATH ?? '', HOME: home, ...env }
  return new Promise(resolve => {
    execFile(process.execPath, [bin, ...args], { env: whole, cwd: home }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

describe.skipIf(!existsSync(fileURLToPath(new URL('../../dist/launch.cjs', import.meta.url))))('coe sandbox', () => {
  it('run: the command finds the cloud, whatever the environment said; its exit status is ours; nothing stays', async () => {
    const elsewhere = { OS_CLOUD: 'prod', OS_AUTH_URL: 'https://prod.invalid/v3' }
    const size = ['--clusters', '1', '--members', '0']
    const list = await coe(['sandbox', 'run', ...size, '--', 'coe', 'cluster', 'list', '-f', 'name'], elsewhere)
    expect(list).toMatchObject({ code: 0, out: 'cluster1\n' })
    expect(list.err).toContain('simulation')
    const { code, out } = await coe(['sandbox', 'run', ...size, '--', 'sh', '-c', 'echo $COE_SANDBOX; exit 7'])
    expect(code).toBe(7)
    expect(existsSync(out.trim())).toBe(false)
  })

  it('run: a script finds coe, which need not be installed, and what ends by a signal is told as shells tell it', async () => {
    const size = ['--clusters', '1', '--members', '0']
    const script = await coe(['sandbox', 'run', ...size, '--', 'sh', '-c', 'coe cluster list -f name; kill -9 $$'])
    expect(script).toMatchObject({ code: 137, out: 'cluster1\n' })
  })

  it('run: servers that are far away take the time that is said', async () => {
    const size = ['--clusters', '0', '--members', '0', '--latency', '400ms', '--speed', '20', '--federation', 'working']
    const words = ['--standalone', 'federation', 'list', '--host', 'host', '--timing']
    const { code, err } = await coe(['sandbox', 'run', ...size, '--', 'coe', ...words])
    expect(code).toBe(0)
    const times = [...err.matchAll(/^GET \S+ ([\d.]+) s$/gm)].map(m => Number(m[1]))
    expect(times).toHaveLength(2)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0.4)
  })

  it('run: an option of the command, without -- before it, is told as that', async () => {
    const { code, err } = await coe(['sandbox', 'run', 'coe', 'cluster', 'list', '-f', 'json'])
    expect([code, err]).toEqual([2, expect.stringContaining('coe sandbox run -- coe cluster list -f json')])
  })

  it('run: a command that does not exist', async () => {
    const { code, err } = await coe(['sandbox', 'run', '--members', '0', '--', 'no-such-command'])
    expect(code).toBe(1)
    expect(err).toContain('cannot run "no-such-command": there is no such command')
  })

  it('start, stop: stays in between, is found by a second start, and leaves nothing', async () => {
    const elsewhere = { OS_APPLICATION_CREDENTIAL_ID: 'x', HTTPS_PROXY: 'http://proxy', OS_CLOUD: 'prod', EDITOR: 'vi' }
    const first = await coe(
      ['sandbox', 'start', '--clusters', '2', '--members', '1', '--latency', '1ms', '--speed', '20'],
      elsewhere,
    )
    expect(first.out).toMatch(/^unset HTTPS_PROXY OS_APPLICATION_CREDENTIAL_ID\nexport /)
    expect(first.code).toBe(0)
    const env = Object.fromEntries(
      [...first.out.matchAll(/^export (\w+)='(.*)'$/gm)].map(m => [m[1] as string, m[2] as string]),
    )
    expect((await coe(['cluster', 'list', '-f', 'name'], env)).out).toBe('cluster1\ncluster2\n')
    expect((await coe(['sandbox', 'start', '--clusters', '2'], elsewhere)).out).toBe(first.out)
    const other = await coe(['sandbox', 'start', '--federation', 'working', '--clusters', '2'], elsewhere)
    expect(other).toMatchObject({ code: 5, out: '' })
    expect(other.err).toMatch(/^coe: a sandbox is already running, with another --federation\nhint: .*coe sandbox stop/)
    expect((await coe(['doctor', '-f', 'value', '-c', 'check', '-c', 'status'], env)).out).toContain('clock ok\n')
    const folder = dirname(env.OS_CLIENT_CONFIG_FILE ?? '')
    expect(existsSync(folder)).toBe(true)
    const stopped = await coe(['sandbox', 'stop'], env)
    expect(stopped.out).toBe('the sandbox has stopped\n')
    expect(stopped.err).toMatch(/^this shell still points to it; to change that: unset .*\bOS_CLIENT_CONFIG_FILE\b/)
    expect(existsSync(folder)).toBe(false)
    expect((await coe(['sandbox', 'stop'])).out).toBe('no sandbox is running\n')
    const afterwards = await coe(['cluster', 'list'], { ...env, COE_CACHE_DIR: home })
    expect(afterwards.code).toBe(3)
    expect(afterwards.err).toContain(`OS_CLIENT_CONFIG_FILE names ${env.OS_CLIENT_CONFIG_FILE}, which does not exist`)
  })
})

it('sandbox serve: told to end while it begins, it ends', async () => {
  const folder = join(home, 'short')
  const line = ['sandbox', 'serve', '--folder', folder, '--clusters', '0', '--members', '0']
  expect(await runCoe(line, { interrupt: AbortSignal.abort() })).toMatchObject({ code: 130 })
})

it('sandbox run: stopped while its cloud begins, it runs nothing', async () => {
  const made = join(home, 'made')
  const line = ['sandbox', 'run', '--clusters', '0', '--members', '0', '--', 'touch', made]
  expect(await runCoe(line, { interrupt: AbortSignal.abort() })).toMatchObject({ code: 130 })
  expect(existsSync(made)).toBe(false)
})
