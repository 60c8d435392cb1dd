/** What a program may know of the machine it runs on. `cli/host.ts` fills it from `process`; tests make their own. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Absent where neither HOME nor the password database tells. */
  readonly home: string | undefined
  readonly platform: NodeJS.Platform
  readonly pid: number
  /** Of the user, where users have numbers. */
  readonly uid?: number | undefined
  /** Whether a process of this machine lives: locks of dead ones are broken. Absent: nobody can tell. */
  readonly isRunning?: (pid: number) => boolean
  /** Signals a process and all that it started, where it leads a group of its own. Absent: only the process itself can be reached. */
  readonly endGroup?: (leader: number, signal: 'SIGTERM' | 'SIGKILL') => void
  readonly hostname: string
  readonly clock: Clock
}
