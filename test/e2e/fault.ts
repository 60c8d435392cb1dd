/** Takes the API server of a cluster away and brings it back, by a command that knows how: `COE_E2E_FAULT stop c2`, `… start c2`. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const command = process.env.COE_E2E_FAULT

export const faultsThere = Boolean(command)

const stopped = new Set<string>()

/** Resolves when it answers no more. */
export async function stop(context: string): Promise<void> {
  stopped.add(context)
  await execute('sh', ['-c', `${command} stop ${context}`])
}

/** Resolves when it answers again. */
export async function start(context: string): Promise<void> {
  await execute('sh', ['-c', `${command} start ${context}`])
  stopped.delete(context)
}

/** Whatever became of a test: no cluster stays away. */
export async function healed(): Promise<void> {
  for (const context of stopped) await start(context)
}
