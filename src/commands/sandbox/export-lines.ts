/** Lines for `eval`; what the shell has that would lead out of the sandbox is unset. */
import type { World } from '../../core/world.ts'
import { leadsElsewhere } from '../../sandbox/playground.ts'

type Env = Readonly<Record<string, string>>

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function exportLines(inside: Env, shell: World['env']): string {
  const leavers = Object.keys(shell).filter(name => leadsElsewhere(name) && !Object.hasOwn(inside, name))
  return [
    ...(leavers.length ? [`unset ${leavers.sort().join(' ')}`] : []),
    ...Object.entries(inside).map(([name, value]) => `export ${name}=${quoted(value)}`),
  ].join('\n')
}
