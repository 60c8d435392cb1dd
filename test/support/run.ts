/** Runs the program within the test's own process: real parsing, real sockets, remembered streams. */
import { tmpdir } from 'node:os'
import { endGroup, type Host } from '../../src/cli/host.ts'
import { systemClock } from '../../src/core/time.ts'
import type { Clock } from '../../src/core/world.ts'
import { main } from '../../src/main.ts'
import { checkJsonContract } from './json-contract.ts'
import { recordOptions } from './option-use.ts'
import { type MemoryOptions, memoryStreams } from './streams.ts'

export interface RunOptions extends MemoryOptions {
  env?: Record<string, string | undefined>
  cwd?: string
  /** Undefined is a machine without HOME. */
  home?: string | undefined
  clock?: Clock
  /** Of several runs at once, each needs its own. */
  pid?: number
  /** Of the user; whoever runs the tests when absent. */
  uid?: number
  /** Of Node, which servers are told: by it, runs can be told apart. */
  node?: string
  /** Which processes of this machine are alive. */
  isRunning?: (pid: number) => boolean
  /** Aborted: as if Ctrl-C were pressed, or the signal came that the reason names. */
  interrupt?: AbortSignal
  /** None of these may turn up in any stream: the run fails if one does. */
  secrets?: readonly string[]
}

export interface RunResult {
  code: number
  out: string
  err: string
}

class ExitNow extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

export async function runCoe(line: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const argv = typeof line === 'string' ? words(line) : [...line]
  const streams = memoryStreams(options)
  const host: Host = {
    argv,
    world: {
      env: { PATH: '/usr/bin:/bin', ...options.env },
      cwd: options.cwd ?? tmpdir(),
      home: options.home,
      platform: 'linux',
      pid: options.pid ?? 4711,
      uid: 'uid' in options ? options.uid : process.getuid?.(),
      ...(options.isRunning ? { isRunning: options.isRunning } : {}),
      endGroup,
      hostname: 'testhost',
      clock: options.clock ?? systemClock,
    },
    streams,
    onSignal(handler) {
      const onAbort = () => handler(signalOf(options.interrupt?.reason))
      if (options.interrupt?.aborted) onAbort()
      options.interrupt?.addEventListener('abort', onAbort)
      return () => options.interrupt?.removeEventListener('abort', onAbort)
    },
    exitNow(code) {
      throw new ExitNow(code)
    },
    terminate: pid => void process.kill(pid, 'SIGTERM'),
    self: ['node', 'coe'],
    versions: { node: options.node ?? 'v20.20.2', platform: 'linux-x64' },
  }
  let code: number
  try {
    code = await main(argv, host)
  } catch (error) {
    if (!(error instanceof ExitNow)) throw error
    code = error.code
  }
  await recordOptions(argv)
  const result = { code, out: streams.out(), err: streams.err() }
  for (const secret of options.secrets ?? []) {
    if (result.out.includes(secret) || result.err.includes(secret)) {
      throw new Error(`a secret was printed by "coe ${argv.join(' ')}"`)
    }
  }
  if (code === 0) await checkJsonContract(argv, result.out)
  return result
}

const signalOf = (reason: unknown) => (reason === 'SIGTERM' || reason === 'SIGHUP' ? reason : 'SIGINT')

/** Splits as a shell would, as far as tests need it: blanks, and both kinds of quotes. */
export function words(line: string): string[] {
  const found = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  return found.map(w => w.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''))
}
