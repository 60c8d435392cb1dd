/** Runs a command of the user in the simulated cloud. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { errorCode, failed, hasOutcome } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import { leadsElsewhere, startPlayground } from '../../sandbox/playground.ts'
import type { SandboxValues } from './options.ts'

/** Replaces the variables that lead to other clouds and clusters by those of the sandbox. */
function insideEnv(env: Context['world']['env'], inside: Record<string, string>): Record<string, string> {
  const kept = Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined && !leadsElsewhere(e[0]))
  return { ...Object.fromEntries(kept), ...inside }
}

/** Starts a sandbox, runs the command in it and stops the sandbox. Resolves with the command's exit code. */
export async function runInside(
  context: Context,
  words: readonly string[],
  options: SandboxValues,
  more: Record<string, string> = {},
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'coe-sandbox-'))
  try {
    const playground = await startPlayground({ ...options, folder, federation: options.federation ?? 'facade' })
    try {
      const env = { ...insideEnv(context.world.env, playground.env), ...more }
      return await runChild(context, words, { ...env, PATH: await pathWithUs(context, folder) })
    } finally {
      await playground.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Puts this program on the PATH as `coe`, for scripts and shells in the sandbox, whether it is installed or not. */
async function pathWithUs({ host, world }: Context, folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const line = `exec ${host.self.map(shellWord).join(' ')} "$@"`
  await writeFile(join(bin, 'coe'), `#!/bin/sh\n${line}\n`, { mode: 0o700 })
  return [bin, world.env.PATH].filter(Boolean).join(':')
}

const whyNot: Record<string, string> = { ENOENT: 'there is no such command', EACCES: 'permission denied' }

/** `coe` is this program, whatever PATH says. */
async function runChild(context: Context, words: readonly string[], env: Record<string, string>): Promise<number> {
  const [command = '', ...args] = words[0] === 'coe' ? [...context.host.self, ...words.slice(1)] : words
  context.signal.throwIfAborted() // it may have been aborted while the sandbox started
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env, cwd: context.world.cwd })
    // the terminal sends Ctrl-C to the child, too, which would take a signal from us for a second Ctrl-C
    const hasSignal = () => context.streams.stdin.isTTY && hasOutcome(context.signal.reason, 'interrupted')
    // an interactive shell ignores TERM, but ends on HUP
    const signal = () => (hasOutcome(context.signal.reason, 'hangup') ? 'SIGHUP' : 'SIGTERM')
    context.signal.addEventListener('abort', () => hasSignal() || child.kill(signal()), { once: true })
    child.once('error', cause => {
      const why = whyNot[errorCode(cause) ?? ''] ?? cause.message
      reject(failed(`cannot run "${words[0]}": ${why}`, { cause }))
    })
    // for a command that was ended by a signal, the exit code that shells use
    child.once('close', (code, by) => resolve(code ?? 128 + (by ? constants.signals[by] : 0)))
  })
}
