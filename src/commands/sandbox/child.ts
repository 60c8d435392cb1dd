/** Running somebody's command within the simulated cloud. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { failed, hasOutcome } from '../../core/errors.ts'
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
      return await runChild(context, words, { ...insideEnv(context.world.env, playground.env), ...more })
    } finally {
      await playground.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `coe` means this very program, whatever PATH says. */
async function runChild(context: Context, words: readonly string[], env: Record<string, string>): Promise<number> {
  const [command = '', ...args] = words[0] === 'coe' ? [...context.host.self, ...words.slice(1)] : words
  context.signal.throwIfAborted() // while the sandbox started, which would not be told again
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env, cwd: context.world.cwd })
    // a terminal sends Ctrl-C to the child as well, which would take ours for the second, and end without a word
    const told = () => context.streams.stdin.isTTY && hasOutcome(context.signal.reason, 'interrupted')
    context.signal.addEventListener('abort', () => told() || child.kill('SIGTERM'), { once: true })
    child.once('error', cause => reject(failed(`cannot run "${words[0]}": ${cause.message}`, { cause })))
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}
