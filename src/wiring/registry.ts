/** All commands, with the options that drivers add to them: they are data, so help and completion know them as well. */

import { choice, flag, text, texts } from '../cli/parse/values.ts'
import { type AnyCommand, type OptionSpec, ValueProblem } from '../cli/spec.ts'
import type { Entry, Registry } from '../cli/tree.ts'
import { engineKey } from '../commands/federation/input/engine-options.ts'
import { registry as own } from '../commands/registry.ts'
import { type DriverOption, fits } from '../model/driver-option.ts'

const verbs = ['create', 'join', 'unjoin', 'delete', 'images'] as const

export const registry: Registry = { groups: own.groups, entries: own.entries.map(withDriverOptions) }

function withDriverOptions(entry: Entry): Entry {
  const verb = verbs.find(v => entry.words === `federation ${v}` || (v === 'create' && entry.words === 'init'))
  if (verb === undefined) return entry
  return {
    ...entry,
    async load(): Promise<AnyCommand> {
      const [command, options] = await Promise.all([entry.load(), optionsFor(verb)])
      return { ...command, options: { ...command.options, ...options } }
    },
  }
}

async function optionsFor(verb: (typeof verbs)[number]): Promise<Record<string, OptionSpec>> {
  const { builtIn } = await import('../drivers/built-in.ts')
  const all = await Promise.all(builtIn.map(one => one.facts()))
  return Object.fromEntries(
    all.flatMap(({ name, options }) =>
      options.filter(o => o.verbs.includes(verb)).map(o => [engineKey(o.name), specOf(o, name)]),
    ),
  )
}

function specOf(option: DriverOption, driver: string): OptionSpec {
  const { name, doc, choices = [], fallback, type, many } = option
  const value = option.value?.toLowerCase() ?? name
  const extra = {
    group: `Of driver ${driver}`,
    mode: 'standalone' as const,
    ...(fallback === undefined ? {} : { fallback }),
  }
  if (type === 'flag') return flag(name, doc, extra)
  if (type === 'choice') return choice(name, choices, doc, extra)
  const spec: OptionSpec = many ? texts(name, value, doc, extra) : text(name, value, doc, extra)
  return { ...spec, parse: given => spec.parse(given.map(one => fitting(one, option))) }
}

function fitting(given: string, option: DriverOption): string {
  if (fits(given, option)) return given
  throw new ValueProblem(`"${given}" is not ${option.value ?? option.pattern}`)
}
