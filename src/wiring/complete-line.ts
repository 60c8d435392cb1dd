/** `coe __complete`: the shells' question, answered with whatever a backend tells in time. */
import type { Given } from '../cli/complete/complete.ts'
import { type Globals, globalOptions } from '../cli/options/globals.ts'
import { optionValues } from '../cli/parse/parser.ts'
import { exitCodes } from '../core/errors.ts'
import type { Run } from '../main.ts'
import { silentReport } from '../model/call.ts'
import { registry } from './registry.ts'

/** A person waits for the Tab key; a slow cloud has no names for them. */
const deadlineMs = 1_000

export async function completeLine(words: readonly string[], run: Run): Promise<number> {
  const { host } = run
  const [{ complete, printed }, { nameSource }] = await Promise.all([
    import('../cli/complete/complete.ts'),
    import('../cli/complete/completion-names.ts'),
  ])
  const silent = { write() {}, isTTY: false, columns: undefined }
  const quietHost = { ...host, streams: { ...host.streams, stdout: silent, stderr: silent } }
  const ended = new AbortController()
  const context = async (given: Given) => {
    const { wire } = await import('../wire.ts')
    const lists = new Map([...given.options].map(([name, value]) => [name, [value]]))
    const globals = { ...optionValues(globalOptions, lists, ''), quiet: true, noInput: true } as Globals
    const command = {
      words: '__complete',
      summary: '',
      args: {},
      options: {},
      examples: [],
      output: { kind: 'raw' as const },
      run: async () => undefined,
    }
    return wire({
      ...run,
      signal: ended.signal,
      host: quietHost,
      globals,
      chosen: {},
      command,
      given: new Map(),
      registry,
      failures: [],
    })
  }
  const names = nameSource({
    call: { signal: ended.signal, caller: { name: host.world.hostname, interactive: false }, report: silentReport },
    world: host.world,
    deadlineMs,
    backend: async given => (await context(given)).backend(),
    drivers: async given => (await context(given)).drivers(),
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
