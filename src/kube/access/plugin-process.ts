/** Runs a credential plugin, collects its output, and ends it when the signal aborts. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { World } from '../../core/world.ts'

export interface PluginRun {
  command: string
  args: string[]
  env: Record<string, string | undefined>
  /** The plugin may prompt the user at the terminal. */
  interactive: boolean
  signal: AbortSignal
  onStderr(text: string): void
}

export interface ProcessResult {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
}

const largestAnswer = 1024 * 1024
/** The time between SIGTERM and SIGKILL. */
const graceMs = 500

/** When the signal aborts, ends the plugin with all its child processes and rejects with the signal's reason. */
export function runProcess(world: World, run: PluginRun): Promise<ProcessResult> {
  const { command, args, env, interactive, signal, onStderr } = run
  return new Promise<ProcessResult>((resolve, reject) => {
    // a detached process has no controlling terminal, so it cannot prompt there for a password
    const detached = !interactive && world.platform !== 'win32'
    const stdio: ['inherit' | 'ignore', 'pipe', 'pipe'] = [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe']
    signal.throwIfAborted()
    const child = spawn(command, args, { env, stdio, detached })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (stdout.length < largestAnswer) stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-4_000)
      onStderr(chunk)
    })
    const stop = () => {
      end(world, child, detached)
      // its child processes may hold these pipes open for ever
      child.stdout.destroy()
      child.stderr.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    child.once('error', error => {
      signal.removeEventListener('abort', stop)
      reject(error)
    })
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop)
      resolve({ code, signal: killedBy, stdout, stderr })
    })
  })
}

function end(world: World, child: ChildProcess, detached: boolean): void {
  const kill = (how: 'SIGTERM' | 'SIGKILL') => {
    if (detached && world.endGroup && child.pid !== undefined) world.endGroup(child.pid, how)
    else child.kill(how)
  }
  kill('SIGTERM')
  setTimeout(() => kill('SIGKILL'), graceMs)
}
