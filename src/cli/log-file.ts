/** `--log-file`: coe appends to the file, which only the user can read. A full disk ends the log, not the run. */
import { open } from 'node:fs/promises'
import { userPath } from '../config/paths.ts'
import { failed } from '../core/errors.ts'
import type { World } from '../core/world.ts'

export interface LogFile {
  write(text: string): void
  close(): Promise<void>
}

/** @param onTrouble called for the first write that fails; nothing is written after it */
export async function openLogFile(path: string, world: World, onTrouble: (text: string) => void): Promise<LogFile> {
  const full = userPath(path, world)
  const cannot = (cause: Error) => `cannot write the log file ${full}: ${cause.message.replace(/,.*/, '')}`
  const file = await open(full, 'a', 0o600).catch((cause: Error) => {
    throw failed(cannot(cause), { cause })
  })
  let broken = false
  let queue: Promise<void> = Promise.resolve()
  const append = async (text: string): Promise<void> => {
    if (broken) return
    try {
      await file.appendFile(text)
    } catch (error) {
      broken = true
      onTrouble(cannot(error as Error))
    }
  }
  return {
    write(text) {
      queue = queue.then(() => append(text))
    },
    async close() {
      await queue
      await file.close()
    },
  }
}
