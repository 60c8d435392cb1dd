/**
 * Detects that coe was started by `nohup` or the like, so that a hangup must not end it. Node restores the default action of
 * SIGHUP before any script runs, so coe looks for other traces of `nohup`.
 */
import { fstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'

export interface Start {
  env: Readonly<Record<string, string | undefined>>
  /** The parent process. */
  ppid: number
}

export const ignoresHangup = ({ env, ppid }: Start): boolean =>
  // shells set `_` to the program that they start, and nohup then replaces itself with coe
  /(^|\/)nohup$/.test(env._ ?? '') || parentIgnores(ppid) || nohupOpened()

const hangupBit = 1n

/** Programs that a script under nohup starts ignore the same signals. Only Linux shows them. */
function parentIgnores(ppid: number): boolean {
  const status = read(() => readFileSync(`/proc/${ppid}/status`, 'utf8'))
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status ?? '')?.[1]
  return mask !== undefined && (BigInt(`0x${mask}`) & hangupBit) !== 0n
}

/** In place of a terminal, nohup opens a write-only /dev/null as input and the file nohup.out for output. */
function nohupOpened(): boolean {
  const input = read(() => readFileSync('/proc/self/fdinfo/0', 'utf8'))
  const writeOnly = /^flags:\s*0*\d*1$/m.test(input ?? '')
  if (writeOnly && read(() => fstatSync(0).rdev === statSync('/dev/null').rdev)) return true
  return /\/nohup\.out$/.test(read(() => readlinkSync('/proc/self/fd/1')) ?? '')
}

function read<T>(what: () => T): T | undefined {
  try {
    return what()
  } catch {
    return undefined // there is no such process or file, or coe may not read it
  }
}
