/** Running somebody's command within the simulated cloud. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { errorCode, failed, hasOutcome } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import { leadsElsewhere, startPlayground } from '../../sandbox/playground.ts'
import type { SandboxValues } from './options.ts'

/** The environment without what would lead out of the sandbox, and with what leads into it. */
function insideEnv(env: Context['world']['env'], inside: Record<string, string>): Record<string, string> {
  const kept = Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined && !leadsElsewhere(e[0]))
  return { ...Object.fromEntries(kept), ...inside }
}

/** Starts a sandbox, runs the command in it, takes it down; answers the command's exit code. */
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

/** Scripts and shells in the sandbox find this very program as `coe`, be it installed or a clone. */
async function pathWithUs({ host, world }: Context, folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const line = `exec ${host.self.map(shellWord).join(' ')} "$@"`
  await writeFile(join(bin, 'coe'), `#!/bin/sh\n${line}\n`, { mode: 0o700 })
  return [bin, world.env.PATH].filter(Boolean).join(':')
}

const whyNot: Record<string, string> = { ENOENT: 'there is no such command', EACCES: 'it may not be run' }

/** `coe` means this very program, whatever PATH says. */
async function runChild(context: Context, words: readonly string[], env: Record<string, string>): Promise<number> {
  const [command = '', ...args] = words[0] === 'coe' ? [...context.host.self, ...words.slice(1)] : words
  context.signal.throwIfAborted() // while the sandbox started, which would not be told again
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env, cwd: context.world.cwd })
    // a terminal sends Ctrl-C to the child as well, which would take ours for the second, and end without a word
    const told = () => context.streams.stdin.isTTY && hasOutcome(context.signal.reason, 'interrupted')
    // an interactive shell ends by a hangup, and not by a TERM
    const signal = () => (hasOutcome(context.signal.reason, 'hangup') ? 'SIGHUP' : 'SIGTERM')
    context.signal.addEventListener('abort', () => told() || child.kill(signal()), { once: true })
    child.once('error', cause => {
      const why = whyNot[errorCode(cause) ?? ''] ?? cause.message
      reject(failed(`cannot run "${words[0]}": ${why}`, { cause }))
    })
    // as shells tell it of a command that a signal ended
    child.once('close', (code, by) => resolve(code ?? 128 + (by ? constants.signals[by] : 0)))
  })
}
