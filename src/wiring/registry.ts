/** All commands, with the options that drivers add to them. */
import type { AnyCommand } from '../cli/spec.ts'
import type { Entry, Registry } from '../cli/tree.ts'
import { engineKey } from '../commands/federation/input/engine-options.ts'
import { registry as own } from '../commands/registry.ts'
import { type DriverCommand, driverCommands } from '../model/driver-option.ts'

/** kubefed's commands that do the same. */
const aliases: Readonly<Record<string, DriverCommand>> = {
  init: 'federation create',
  join: 'federation join',
  unjoin: 'federation unjoin',
}

export const registry: Registry = { groups: own.groups, entries: own.entries.map(withDriverOptions) }

function withDriverOptions(entry: Entry): Entry {
  const words = driverCommands.find(command => command === entry.words) ?? aliases[entry.words]
  if (words === undefined) return entry
  return {
    ...entry,
    async load(): Promise<AnyCommand> {
      const [command, { builtIn }, { driverOptions }] = await Promise.all([
        entry.load(),
        import('../drivers/built-in.ts'),
        import('./driver-options.ts'),
      ])
      const specs = driverOptions(words, await Promise.all(builtIn.map(one => one.facts())))
      const options = Object.fromEntries([...specs].map(([name, spec]) => [engineKey(name), spec]))
      return { ...command, options: { ...command.options, ...options } }
    },
  }
}
