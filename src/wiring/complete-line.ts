/** `coe __complete`: the shells' question, answered with whatever a backend tells in time. */

import type { TypedLine } from '../cli/complete/complete.ts'
import { decideMode } from '../cli/mode.ts'
import { type Globals, globalOptions } from '../cli/options/globals.ts'
import { optionValues } from '../cli/parse/parser.ts'
import { exitCodes } from '../core/errors.ts'
import type { Run } from '../main.ts'
import { silentReport } from '../model/call.ts'
import { registry } from './registry.ts'

/** A person waits for the Tab key; a slow cloud has no names for them. */
const deadlineMs = 1_000

export async function completeLine(words: readonly string[], run: Run): Promise<number> {
  const { host, redactor } = run
  const [{ complete, printed }, { nameSource }] = await Promise.all([
    import('../cli/complete/complete.ts'),
    import('../cli/complete/completion-names.ts'),
  ])
  const ended = new AbortController()
  /** Loaded where a server or a driver is asked: most words of a line need none. */
  const open = async (given: TypedLine) => {
    const [{ makeOpener }, { loadSettings }] = await Promise.all([
      import('./opener.ts'),
      import('../config/settings.ts'),
    ])
    const lists = new Map([...given.options].map(([name, value]) => [name, [value]]))
    const globals = { ...(optionValues(globalOptions, lists, '') as Globals), passwordStdin: false }
    const settings = () => loadSettings(host.world, { standalone: globals.standalone })
    const log = { warn() {}, info() {} }
    return { globals, settings, ...makeOpener({ host, globals, settings, secrets: redactor, log, interactive: false }) }
  }
  const names = nameSource({
    call: { signal: ended.signal, caller: { name: host.world.hostname, interactive: false }, report: silentReport },
    world: host.world,
    deadlineMs,
    async backend(given) {
      const { globals, settings, backend, clouds } = await open(given)
      return backend((await decideMode(host.world, globals, await settings(), clouds)).mode)
    },
    drivers: async given => (await open(given)).drivers(),
  })
  try {
    host.streams.stdout.write(printed(await complete(registry, words, names)))
  } catch {
    host.streams.stdout.write(':none\n')
  } finally {
    ended.abort() // a request may still be on its way; nobody waits for it any more
  }
  return exitCodes.ok
}
