/** The files that "npm run docs" writes: reference pages, schemas, completion scripts, driver types and rights. */
import { completionScripts } from '../../src/cli/complete/completion-scripts.ts'
import { topics } from '../../src/cli/help/topics.ts'
import { globalOptions } from '../../src/cli/options/globals.ts'
import { registry } from '../../src/wiring/registry.ts'
import { driverTypes } from './driver-types.ts'
import { rbacDocuments } from './rbac-page.ts'
import { referencePages } from './reference.ts'

/** Path below the project → content. */
export async function documents(): Promise<Map<string, string>> {
  const commands = await Promise.all(registry.entries.filter(e => !e.hidden).map(e => e.load()))
  const files = new Map<string, string>()
  for (const [name, content] of referencePages(commands, globalOptions, topics))
    files.set(`docs/reference/${name}`, content)
  files.set('completions/coe.bash', completionScripts.bash)
  files.set('completions/_coe', completionScripts.zsh)
  files.set('completions/coe.fish', completionScripts.fish)
  files.set('docs/drivers/coe.d.ts', driverTypes())
  for (const [path, content] of await rbacDocuments()) files.set(path, content)
  return files
}
