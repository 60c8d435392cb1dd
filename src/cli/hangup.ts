/**
 * Whether this program was started so that a hangup does not end it (nohup). Node gives SIGHUP its default action back
 * before any script runs, so the program has to find out by what else `nohup` and its kind leave behind.
 */
import { fstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'

export interface Start {
  env: Readonly<Record<string, string | undefined>>
  /** Of the process that started this one. */
  ppid: number
}

export const ignoresHangup = ({ env, ppid }: Start): boolean =>
  // shells put the program that they start there, and nohup replaces itself with ours
  /(^|\/)nohup$/.test(env._ ?? '') || parentIgnores(ppid) || nohupOpened()

const hangupBit = 1n

/** A script under nohup hands on what it ignores to all that it starts. Told by Linux alone. */
function parentIgnores(ppid: number): boolean {
  const status = read(() => readFileSync(`/proc/${ppid}/status`, 'utf8'))
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status ?? '')?.[1]
  return mask !== undefined && (BigInt(`0x${mask}`) & hangupBit) !== 0n
}

/** In place of a terminal: a /dev/null that cannot even be read, and a file of its own name for what is written. */
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
    return undefined // no such process or file here, or not ours to read
  }
}
