/** Lines for `eval`; what the shell has that would lead out of the sandbox is unset. */
import { shellQuoted } from '../../core/shell-word.ts'
import type { World } from '../../core/world.ts'
import { leadsElsewhere } from '../../sandbox/playground.ts'

type Env = Readonly<Record<string, string>>

export function exportLines(inside: Env, shell: World['env']): string {
  const leavers = Object.keys(shell).filter(name => leadsElsewhere(name) && !Object.hasOwn(inside, name))
  return [
    ...(leavers.length ? [`unset ${leavers.sort().join(' ')}`] : []),
    ...Object.entries(inside).map(([name, value]) => `export ${name}=${shellQuoted(value)}`),
  ].join('\n')
}
