/** The only file that uses `process`: everything that the program knows about the machine. */
import { readFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { isatty } from 'node:tty'
import { exitCodes } from '../core/errors.ts'
import { systemClock } from '../core/time.ts'
import type { World } from '../core/world.ts'
import type { Sink, Source, Streams } from '../io/streams.ts'
import { ignoresHangup } from './hangup.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface Host {
  readonly argv: readonly string[]
  readonly world: World
  readonly streams: Streams
  /** Calls back for each of these signals until disposed of; not for a SIGHUP that is to be ignored (nohup). */
  onSignal(handler: (signal: StopSignal) => void): () => void
  /** Ends the program at once, output lost or not. */
  exitNow(code: number): never
  /** Shows a text at the terminal with a program such as less; false if there is no such program. */
  page?(command: string, text: string): Promise<boolean>
  /** Asks a process to end. */
  terminate(pid: number): void
  /** The program and the arguments before coe's own, for starting coe again. */
  readonly self: readonly string[]
  readonly versions: { node: string; platform: string }
  /** Called with the words of the command, once they are known. */
  onCommand?(command: string): void
}

/** The user's numeric id, on systems that have it. */
export const ownUid = (): number | undefined => process.getuid?.()

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // the process exists, but coe may not signal it
  }
  return !isZombie(pid)
}

/** A killed process that its parent has not collected. In containers without an init process it keeps its pid for ever. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // not Linux, or the process has just ended
  }
}

export function endGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // the entire group has ended already
  }
}

export function realHost(): Host {
  // coe's files hold keys and tokens: others may read none of them, unless a mode is set explicitly
  process.umask(0o077)
  const world: World = {
    env: process.env,
    cwd: workingFolder(),
    home: home(),
    platform: process.platform,
    pid: process.pid,
    uid: ownUid(),
    isRunning,
    endGroup,
    hostname: hostname(),
    clock: systemClock,
  }
  return {
    argv: process.argv.slice(2),
    world,
    streams: { stdin: source(), stdout: sink(process.stdout, world.env), stderr: sink(process.stderr, world.env) },
    onSignal(handler) {
      const { env, ppid } = process
      const int = () => handler('SIGINT')
      const term = () => handler('SIGTERM')
      const hup = () => ignoresHangup({ env, ppid }) || handler('SIGHUP')
      process.on('SIGINT', int).on('SIGTERM', term).on('SIGHUP', hup)
      return () => process.off('SIGINT', int).off('SIGTERM', term).off('SIGHUP', hup)
    },
    exitNow: code => process.exit(code),
    page,
    terminate: pid => void process.kill(pid, 'SIGTERM'),
    self: [process.execPath, process.argv[1] ?? 'coe'],
    versions: { node: process.version, platform: `${process.platform}-${process.arch}` },
  }
}

async function page(command: string, text: string): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  // the pager gets Ctrl-C as well, and handles it
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[]
  const ignore = () => {}
  process.removeAllListeners('SIGINT').on('SIGINT', ignore)
  const code = await new Promise<number>(resolve => {
    const env = { LESS: 'FRX', ...process.env }
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env })
    child.once('error', () => resolve(127))
    child.once('close', ended => resolve(ended ?? 0))
    child.stdin?.on('error', () => {}) // the user left the pager before the end of the text
    child.stdin?.end(text)
  })
  for (const listener of listeners) process.on('SIGINT', listener)
  process.off('SIGINT', ignore)
  return code !== 126 && code !== 127 // a shell's exit codes for a program that it cannot run
}

function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/' // the folder was removed meanwhile; only relative paths are affected
  }
}

function home(): string | undefined {
  if (process.env.HOME) return process.env.HOME
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}

function sink(stream: NodeJS.WriteStream, env: World['env']): Sink {
  let closed = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `coe … | head`: the reader has gone; the work goes on, and the exit code tells how it ended
    // a terminal that hung up answers EIO, and SIGHUP then ends the program in good order
    const hungUp = error.code === 'EIO' && stream.isTTY
    if (stream === process.stderr || error.code === 'EPIPE' || error.code === 'ECONNRESET' || hungUp) {
      closed = true
      return
    }
    process.stderr.write(`coe: cannot write the result: ${error.message.replace(/, write$/, '')}\n`)
    process.exit(exitCodes.failed)
  })
  return {
    write(text) {
      if (!closed) stream.write(text)
    },
    isTTY: stream.isTTY === true,
    get rows() {
      return stream.rows || undefined
    },
    get closed() {
      return closed
    },
    get columns() {
      return widthOf(stream, env)
    },
  }
}

/** A pipe or a file has no width, even if the shell exports COLUMNS. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }, env: World['env']): number | undefined {
  if (!stream.isTTY) return undefined
  const exported = Number(env.COLUMNS)
  // a terminal without a size reports 0
  return Number.isInteger(exported) && exported > 0 ? exported : stream.columns || undefined
}

/** Opens stdin only when a command reads it: opening takes 5 ms. */
function source(): Source {
  return {
    get isTTY() {
      return isatty(0)
    },
    async readAll() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
      return Buffer.concat(chunks)
    },
    readLine: options => readLine(process.stdin, options?.hidden === true),
  }
}

async function readLine(stdin: NodeJS.ReadStream, hidden: boolean): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  return new Promise(resolve => {
    const lines = createInterface({ input: stdin, terminal: hidden && stdin.isTTY === true, output: undefined })
    let answer: string | undefined
    lines.once('line', line => {
      answer = line
      lines.close()
    })
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    lines.once('close', () => {
      stdin.pause()
      resolve(answer)
    })
  })
}
