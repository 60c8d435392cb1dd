/** Makes the reference pages of docs/ from the specs of the commands. */

import { optionTerm, optionText } from '../../src/cli/help/help.ts'
import { outputSchema } from '../../src/cli/help/schema.ts'
import type { Topic } from '../../src/cli/help/topics.ts'
import { synopsis } from '../../src/cli/parse/synopsis.ts'
import { type AnyCommand, type ArgSpec, columnHelp, type OptionSpec } from '../../src/cli/spec.ts'
import { modesWith } from '../../src/model/capability.ts'

const made = '<!-- Made by "npm run docs" from the command specs; edit those. -->\n'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map(r => `| ${r.join(' | ')} |`),
  ].join('\n')
}

const schemaFile = (command: AnyCommand): string => `schemas/${command.words.replaceAll(' ', '-')}.json`

function commandSection(command: AnyCommand, shared: ReadonlySet<string>): string {
  const parts = [
    `## coe ${command.words}`,
    `${command.description ?? `${command.summary}.`}`,
    `\`\`\`\ncoe ${synopsis(command)}\n\`\`\``,
  ]
  if (command.needs) parts.push(`Works in ${modesWith(command.needs).join(' and ')} mode.`)
  if (command.examples.length) {
    parts.push(`\`\`\`sh\n${command.examples.map(e => `# ${e.help}\n${e.line}`).join('\n')}\n\`\`\``)
  }
  const args = Object.entries(command.args as Record<string, ArgSpec>)
  if (args.length)
    parts.push(
      table(
        ['argument', 'what'],
        args.map(([key, a]) => [code(`<${a.label ?? key}>`), cell(a.help)]),
      ),
    )
  const options = Object.values(command.options as Record<string, OptionSpec>).filter(
    o => !o.hidden && !shared.has(o.name),
  )
  if (options.length)
    parts.push(
      table(
        ['option', 'what'],
        options.map(o => [code(optionTerm(o)), cell(optionText(o))]),
      ),
    )
  const { columns, kind } = command.output
  if (columns) {
    parts.push(
      `Columns${kind === 'text' ? ' (with -f or -c)' : ''}; the JSON is described by [${schemaFile(command)}](${schemaFile(command)}):`,
      table(
        ['column', 'type', 'what'],
        columns.map(c => [
          code(c.name),
          c.type + (c.long ? ' (long)' : c.extra ? ' (at times)' : ''),
          cell(columnHelp(c)),
        ]),
      ),
    )
  }
  if (command.exits)
    parts.push(
      table(
        ['exit', 'meaning here'],
        Object.entries(command.exits).map(([n, t]) => [n, cell(t)]),
      ),
    )
  return parts.join('\n\n')
}

/** File name (below docs/reference) → content. */
export function referencePages(
  commands: readonly AnyCommand[],
  globals: Readonly<Record<string, OptionSpec>>,
  topics: readonly Topic[],
): Map<string, string> {
  const pages = new Map<string, string>()
  const shared = new Set(Object.values(globals).map(o => o.name))
  const groups = new Map<string, AnyCommand[]>()
  for (const command of commands) {
    const words = command.words.split(' ')
    const group = words.length > 2 ? words.slice(0, -1).join('-') : (words[0] as string)
    groups.set(group, [...(groups.get(group) ?? []), command])
    const schema = outputSchema(command)
    if (schema) pages.set(schemaFile(command), `${JSON.stringify(schema, null, 2)}\n`)
  }
  for (const [group, members] of groups) {
    pages.set(
      `${group}.md`,
      `${made}# coe ${group.replaceAll('-', ' ')}\n\n${members.map(c => commandSection(c, shared)).join('\n\n')}\n`,
    )
  }
  for (const topic of topics)
    pages.set(`${topic.name}.md`, `${made}# ${topic.name}\n\n${topic.summary}\n\n\`\`\`\n${topic.text()}\n\`\`\`\n`)
  pages.set('options.md', optionsPage(globals))
  pages.set('README.md', indexPage(groups, topics))
  return pages
}

function optionsPage(globals: Readonly<Record<string, OptionSpec>>): string {
  const rows = Object.values(globals)
    .filter(o => !o.hidden)
    .map(o => [code(optionTerm(o)), cell(optionText(o))])
  return `${made}# Options of every command\n\nGive these options before or after the command.\n\n${table(['option', 'what'], rows)}\n`
}

function indexPage(groups: ReadonlyMap<string, readonly AnyCommand[]>, topics: readonly Topic[]): string {
  const rows = [...groups].flatMap(([group, members]) =>
    members.map(c => [`[coe ${c.words}](${group}.md#coe-${c.words.replaceAll(' ', '-')})`, cell(c.summary)]),
  )
  const more = topics.map(t => [`[${t.name}](${t.name}.md)`, cell(t.summary)])
  return `${made}# Reference\n\n${table(['command', 'what'], rows)}\n\nAlso: [options of every command](options.md)\n\n${table(['topic', 'what'], more)}\n`
}
