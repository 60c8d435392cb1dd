/** Help, from the same data that the parser reads. */
import { wrap } from '../core/text.ts'
import type { Style } from '../io/style.ts'
import type { AnyCommand, ArgSpec, OptionSpec } from './spec.ts'
import { synopsis } from './synopsis.ts'
import { nextWords, type Registry } from './tree.ts'

export interface Page {
  style: Style
  width: number
}

/** The list of commands below some words; all groups at the top. */
export function groupHelp(registry: Registry, words: readonly string[], page: Page): string {
  const { style } = page
  const prefix = words.join(' ')
  const group = registry.groups.find(g => g.words === prefix)
  const lines = [`${style.bold('usage:')} coe ${prefix ? `${prefix} ` : ''}<command> [options]`, '']
  if (group?.summary) lines.push(wrap(group.summary, page.width), '')
  const direct: [string, string][] = []
  const deeper: [string, string][] = []
  for (const word of nextWords(registry, words)) {
    const full = [...words, word].join(' ')
    const entry = registry.entries.find(e => e.words === full)
    if (entry) direct.push([full, entry.summary])
    if (nextWords(registry, [...words, word]).length) {
      deeper.push([`${full} …`, registry.groups.find(g => g.words === full)?.summary ?? ''])
    }
  }
  if (deeper.length) lines.push(style.bold('Groups'), ...twoColumns(deeper, page), '')
  if (direct.length) lines.push(style.bold('Commands'), ...twoColumns(direct, page), '')
  lines.push(`"coe help <command>" tells more; "coe help topics" lists what else there is to read.`)
  return `${lines.join('\n')}\n`
}

export function commandHelp(command: AnyCommand, options: Readonly<Record<string, OptionSpec>>, page: Page): string {
  const { style } = page
  const lines = [
    `${style.bold('usage:')} coe ${synopsis(command)}`,
    '',
    wrap(command.description ?? `${command.summary}.`, page.width),
    '',
  ]
  if (command.examples.length) {
    lines.push(style.bold('Examples'))
    for (const example of command.examples) lines.push(`  ${style.dim(`# ${example.help}`)}`, `  ${example.line}`)
    lines.push('')
  }
  const args = Object.entries(command.args as Record<string, ArgSpec>)
  if (args.length) {
    const rows = args.map(([key, a]): [string, string] => [`<${a.label ?? key}>`, withChoices(a.help, a.choices)])
    lines.push(style.bold('Arguments'), ...twoColumns(rows, page), '')
  }
  for (const [title, specs] of grouped(options)) {
    lines.push(
      style.bold(title),
      ...twoColumns(
        specs.map(o => [optionTerm(o), optionText(o)]),
        page,
      ),
      '',
    )
  }
  if (command.exits) {
    const rows = Object.entries(command.exits).map(([code, text]): [string, string] => [code, text])
    lines.push(style.bold('Exit codes'), ...twoColumns(rows, page), '  (all of them: coe help exit-codes)', '')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

const order = ['Options', 'Wait', 'Output', 'Global', 'OpenStack']

function grouped(options: Readonly<Record<string, OptionSpec>>): [string, OptionSpec[]][] {
  const groups = new Map<string, OptionSpec[]>()
  for (const option of Object.values(options)) {
    if (option.hidden) continue
    const title = option.group ?? 'Options'
    groups.set(title, [...(groups.get(title) ?? []), option])
  }
  const rank = (title: string) => (order.includes(title) ? order.indexOf(title) : 0.5)
  return [...groups].sort(([a], [b]) => rank(a) - rank(b))
}

export function optionTerm(o: OptionSpec): string {
  const spellings = [
    ...(o.short ? [`-${o.short}`] : []),
    ...(o.also ?? []).filter(a => !a.startsWith('--')),
    `--${o.name}`,
  ]
  return `${spellings.join(', ')}${o.value === undefined ? '' : ` <${o.value}>`}`
}

export function optionText(o: OptionSpec): string {
  const notes = [
    ...(o.required ? ['required'] : []),
    ...(o.fallback !== undefined ? [`default: ${o.fallback}`] : []),
    ...(o.env ? [`env: ${o.env}`] : []),
    ...(o.mode && o.group !== 'OpenStack' ? [`${o.mode} mode`] : []),
  ]
  return withChoices(o.help, o.choices) + (notes.length ? ` (${notes.join('; ')})` : '')
}

const withChoices = (help: string, choices: readonly string[] | undefined): string =>
  choices ? `${help}: ${choices.join(', ')}` : help

function twoColumns(rows: readonly (readonly [string, string])[], page: Page): string[] {
  const widest = Math.min(Math.max(...rows.map(([term]) => term.length)), 30)
  const indent = ' '.repeat(widest + 4)
  return rows.flatMap(([term, text]) => {
    const body = wrap(text, page.width, indent).trimStart()
    if (term.length > widest) return [`  ${term}`, `${indent}${body}`]
    return [`  ${term.padEnd(widest)}  ${body}`.trimEnd()]
  })
}
