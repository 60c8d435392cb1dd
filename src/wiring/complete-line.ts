/** `coe __complete`: answers the shells' completion scripts with the names that a backend returns in time. */

import type { TypedLine } from '../cli/complete/complete.ts'
import { decideMode } from '../cli/mode.ts'
import { type Globals, globalOptions } from '../cli/options/globals.ts'
import { optionValues } from '../cli/parse/parser.ts'
import { exitCodes } from '../core/errors.ts'
import type { Run } from '../main.ts'
import { silentReport } from '../model/call.ts'
import { registry } from './registry.ts'

/** The user waits for the Tab key, so a slow cloud gives no names. */
const deadlineMs = 1_000

export async function completeLine(words: readonly string[], run: Run): Promise<number> {
  const { host, redactor } = run
  const [{ complete, printed }, { nameSource }] = await Promise.all([
    import('../cli/complete/complete.ts'),
    import('../cli/complete/completion-names.ts'),
  ])
  const ended = new AbortController()
  /** Loaded only for words that need a server or a driver, which most do not. */
  const open = async (line: TypedLine) => {
    const [{ makeOpener }, { loadSettings }] = await Promise.all([
      import('./opener.ts'),
      import('../config/settings.ts'),
    ])
    const lists = new Map([...line.options].map(([name, value]) => [name, [value]]))
    const globals = { ...(optionValues(globalOptions, lists, '') as Globals), passwordStdin: false }
    const settings = () => loadSettings(host.world, { standalone: globals.standalone })
    const log = { warn() {}, info() {} }
    return { globals, settings, ...makeOpener({ host, globals, settings, secrets: redactor, log, interactive: false }) }
  }
  const names = nameSource({
    call: { signal: ended.signal, caller: { name: host.world.hostname, interactive: false }, report: silentReport },
    world: host.world,
    deadlineMs,
    async backend(line) {
      const { globals, settings, backend, clouds } = await open(line)
      return backend((await decideMode(host.world, globals, await settings(), clouds)).mode)
    },
    drivers: async line => (await open(line)).drivers(),
  })
  try {
    host.streams.stdout.write(printed(await complete(registry, words, names)))
  } catch {
    host.streams.stdout.write(':none\n')
  } finally {
    ended.abort() // cancels requests that are still in flight
  }
  return exitCodes.ok
}
