import { commandHelp, groupHelp, optionsHelp } from '../../cli/help/help.ts'
import { globalOptions } from '../../cli/options/globals.ts'
import { allOptions } from '../../cli/parse/all-options.ts'
import { optionalArgs } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { findCommand, unknownCommand } from '../../cli/tree.ts'
import { usage } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'

export const help = defineCommand({
  words: 'help',
  summary: 'Show help on a command or a topic',
  args: { words: optionalArgs('a command or a topic', { complete: 'command' }) },
  options: {},
  examples: [
    { line: 'coe help cluster create', help: 'help on a command' },
    { line: 'coe help exit-codes', help: 'help on a topic' },
    { line: 'coe help topics', help: 'the list of topics' },
  ],
  output: { kind: 'raw' },
  offline: true,
  async run({ registry, style, streams }, { args }) {
    const page = { style, width: Math.min(streams.stdout.columns ?? 80, 120) }
    const [first] = args.words
    if (first === undefined) return { text: groupHelp(registry, [], page) }
    const { topics } = await import('../../cli/help/topics.ts')
    if (first === 'topics') {
      const all = [...topics, { name: 'options', summary: 'options that every command takes' }]
      return {
        text: [...all.map(t => `${t.name.padEnd(14)}${t.summary}`), '', 'Run "coe help <topic>" to read one.'].join(
          '\n',
        ),
      }
    }
    if (first === 'options' && args.words.length === 1) return { text: optionsHelp(globalOptions, page) }
    const topic = args.words.length === 1 ? topics.find(t => t.name === first) : undefined
    if (topic) return { text: topic.text() }
    const found = findCommand(registry, args.words, [])
    if (found.unknown !== undefined || found.rest.length > 0) {
      const near =
        args.words.length === 1 ? didYouMean(first, ['topics', 'options', ...topics.map(t => t.name)]) : undefined
      throw near
        ? usage(`no command or topic "${first}"`, { hint: near })
        : unknownCommand(registry, { ...found, unknown: found.unknown ?? found.rest[0] ?? '' })
    }
    if (found.entry === undefined) return { text: groupHelp(registry, found.words, page) }
    const command = await found.entry.load()
    return { text: commandHelp(command, allOptions(command), page) }
  },
})
