/** The machine that the program runs on. `cli/host.ts` fills it from `process`; tests make their own. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The parts of the world that locks and notes need: process, machine and time. */
export type Machine = Pick<World, 'pid' | 'hostname' | 'isRunning' | 'clock'>

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Undefined if neither HOME nor the password database has it. */
  readonly home: string | undefined
  readonly platform: NodeJS.Platform
  readonly pid: number
  /** The user's id, on platforms that have user ids. */
  readonly uid?: number | undefined
  /** Whether a process of this machine is running: locks of dead processes are broken. Absent if unknown. */
  readonly isRunning?: (pid: number) => boolean
  /**
   * Signals a process that leads a group, and all processes of the group. Absent if only the process itself can be
   * signalled.
   * @internal
   */
  readonly endGroup?: (leader: number, signal: 'SIGTERM' | 'SIGKILL') => void
  readonly hostname: string
  readonly clock: Clock
}
