import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requiredText } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { startPlayground } from '../../sandbox/playground.ts'
import { sandboxOptions } from './options.ts'

/** Runs in the background after `sandbox start`. */
export const sandboxServe = defineCommand({
  words: 'sandbox serve',
  summary: 'Run a simulated cloud until terminated',
  args: {},
  options: { ...sandboxOptions, folder: requiredText('folder', 'folder', 'where its files go') },
  examples: [],
  output: { kind: 'raw' },
  offline: true,
  async run({ signal }, { options }) {
    const playground = await startPlayground({ ...options, federation: options.federation ?? 'facade' })
    const ready = join(options.folder, 'env.json')
    await writeFile(`${ready}.part`, JSON.stringify(playground.env), { mode: 0o600 })
    await rename(`${ready}.part`, ready)
    // it may have been aborted while the sandbox started
    if (!signal.aborted) await once(signal, 'abort')
    await playground.close()
    return undefined
  },
})
