/** Runs the built program as a user does: a process of its own, with a home of its own, on the clouds of the environment. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { words } from '../support/run.ts'

const bin = fileURLToPath(new URL('../../bin/coe.js', import.meta.url))

export interface Ended {
  code: number | null
  out: string
  err: string
  seconds: number
}

export interface Running {
  /** Resolves once the stream has said it. */
  says(pattern: RegExp): Promise<void>
  interrupt(): void
  /** As a machine that loses its power: nothing is put in order. */
  kill(): void
  ended: Promise<Ended>
}

export interface Program {
  home: string
  run(line: string | readonly string[], options?: RunSettings): Promise<Ended>
  start(line: string | readonly string[], options?: RunSettings): Running
  close(): Promise<void>
}

export interface RunSettings {
  /** Another cloud than OS_CLOUD. */
  cloud?: string | undefined
  input?: string
  /** A user's terminal has its own; tests get the home. */
  cwd?: string
}

/** @param more variables besides those of the clouds. */
export async function program(more: Record<string, string> = {}): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'coe-e2e-'))
  const kept = Object.entries(process.env).filter(([name]) => /^(OS_|PATH$|HTTPS?_PROXY$|NO_PROXY$)/i.test(name))
  const clouds = process.env.OS_CLIENT_CONFIG_FILE
  const env = {
    ...Object.fromEntries(kept),
    ...more,
    HOME: home,
    LANG: 'C.UTF-8',
    ...(clouds === undefined ? {} : { OS_CLIENT_CONFIG_FILE: resolve(clouds) }),
  }
  const start: Program['start'] = (line, { cloud, input, cwd = home } = {}) => {
    const argv = typeof line === 'string' ? words(line) : line
    const begun = performance.now()
    const child = spawn(process.execPath, [bin, ...argv], {
      cwd,
      env: { ...env, ...(cloud === undefined ? {} : { OS_CLOUD: cloud }) },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const written = { out: '', err: '' }
    let heard = () => {}
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written.out += text
      heard()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      written.err += text
      heard()
    })
    child.stdin.on('error', () => {}).end(input ?? '')
    const ended = new Promise<Ended>((done, fail) => {
      child.once('error', fail)
      child.once('close', code => done({ code, ...written, seconds: (performance.now() - begun) / 1000 }))
    })
    const says = (pattern: RegExp) =>
      new Promise<void>((done, fail) => {
        heard = () => {
          if (pattern.test(written.out) || pattern.test(written.err)) done()
        }
        heard()
        ended.then(() => fail(new Error(`it ended without saying ${pattern}:\n${written.out}${written.err}`)), fail)
      })
    return { says, interrupt: () => void child.kill('SIGINT'), kill: () => void child.kill('SIGKILL'), ended }
  }
  return {
    home,
    start,
    run: (line, settings) => start(line, settings).ended,
    close: () => rm(home, { recursive: true, force: true }),
  }
}
