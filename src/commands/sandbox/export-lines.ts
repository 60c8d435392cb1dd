/** Lines for `eval`. They unset variables of the shell that lead to other clouds and clusters. */
import { shellQuoted } from '../../core/shell-word.ts'
import type { World } from '../../core/world.ts'
import { leadsElsewhere } from '../../sandbox/playground.ts'

type Env = Readonly<Record<string, string>>

export function exportLines(inside: Env, shell: World['env']): string {
  const others = Object.keys(shell).filter(name => leadsElsewhere(name) && !Object.hasOwn(inside, name))
  return [
    ...(others.length ? [`unset ${others.sort().join(' ')}`] : []),
    ...Object.entries(inside).map(([name, value]) => `export ${name}=${shellQuoted(value)}`),
  ].join('\n')
}
