/** `--log-file`: appended to, for nobody else to read. */
import { open } from 'node:fs/promises'
import { userPath } from '../config/paths.ts'
import { failed } from '../core/errors.ts'
import type { World } from '../core/world.ts'

export interface LogFile {
  write(text: string): void
  close(): Promise<void>
}

export async function openLogFile(path: string, world: World): Promise<LogFile> {
  const full = userPath(path, world)
  const file = await open(full, 'a', 0o600).catch((cause: Error) => {
    throw failed(`cannot write the log file ${full}: ${cause.message.replace(/,.*/, '')}`, { cause })
  })
  let queue: Promise<unknown> = Promise.resolve()
  return {
    write(text) {
      queue = queue.then(() => file.appendFile(text))
    },
    async close() {
      await queue.catch(() => {})
      await file.close()
    },
  }
}
