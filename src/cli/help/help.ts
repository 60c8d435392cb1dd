/** Help, made from the data that the parser uses. */
import { wrap } from '../../core/text.ts'
import type { Style } from '../../io/style.ts'
import { synopsis } from '../parse/synopsis.ts'
import type { AnyCommand, ArgSpec, Example, OptionSpec } from '../spec.ts'
import { nextWords, type Registry } from '../tree.ts'

export interface Page {
  style: Style
  width: number
}

/** The list of commands of a group; without words, of all groups. */
export function groupHelp(registry: Registry, words: readonly string[], page: Page): string {
  const { style } = page
  const prefix = words.join(' ')
  const group = registry.groups.find(g => g.words === prefix)
  const lines = [`${style.bold('usage:')} coe ${prefix ? `${prefix} ` : ''}<command> [options]`, '']
  if (group?.summary) lines.push(wrap(group.summary, page.width), '')
  lines.push(...examplesIn(group?.examples ?? [], page))
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
  const inner = prefix ? `${prefix} ` : ''
  lines.push(
    wrap(`Run "coe help ${inner}<command>" for details, or "coe help topics" for a list of topics.`, page.width),
  )
  return `${lines.join('\n')}\n`
}

export function commandHelp(command: AnyCommand, options: Readonly<Record<string, OptionSpec>>, page: Page): string {
  const { style } = page
  const lines = [
    `${style.bold('usage:')} ${wrap(`coe ${synopsis(command)}`, page.width - 7).replaceAll('\n', '\n       ')}`,
    '',
    wrap(command.description ?? `${command.summary}.`, page.width),
    '',
  ]
  lines.push(...examplesIn(command.examples, page))
  const args = Object.entries(command.args as Record<string, ArgSpec>)
  if (args.length) {
    const rows = args.map(([key, a]): [string, string] => [`<${a.label ?? key}>`, withChoices(a.help, a.choices)])
    lines.push(style.bold('Arguments'), ...twoColumns(rows, page), '')
  }
  const all = grouped(options)
  for (const [title, specs] of all) if (!everywhere.includes(title)) lines.push(...optionsIn(title, specs, page))
  if (command.exits) {
    const rows = Object.entries(command.exits).map(([code, text]): [string, string] => [code, text])
    lines.push(style.bold('Exit codes'), ...twoColumns(rows, page), '  (all of them: coe help exit-codes)', '')
  }
  for (const [title, specs] of all) if (title === 'Global') lines.push(...optionsIn(title, specs, page))
  lines.push('Cloud and login: --os-cloud <name> and others (coe help options)')
  return `${lines.join('\n').trimEnd()}\n`
}

/** `coe help options`: the options of every command. */
export function optionsHelp(options: Readonly<Record<string, OptionSpec>>, page: Page): string {
  const lines = [wrap('Give these options before or after any command.', page.width), '']
  for (const [title, specs] of grouped(options)) lines.push(...optionsIn(title, specs, page))
  return `${lines.join('\n').trimEnd()}\n`
}

/** Groups that the help of a command leaves out or shortens, so that its own options stand out. */
const everywhere = ['Global', 'OpenStack']

/** Command lines are not wrapped, so that they can be pasted. */
function examplesIn(examples: readonly Example[], { style, width }: Page): string[] {
  if (examples.length === 0) return []
  return [
    style.bold('Examples'),
    ...examples.flatMap(({ help, line }) => [
      ...wrap(help, width, '  # ')
        .split('\n')
        .map(l => `  ${style.dim(l.trimStart())}`),
      `  ${line}`,
    ]),
    '',
  ]
}

/** If all options of a group have the same mode, the title names it. */
function optionsIn(title: string, specs: readonly OptionSpec[], page: Page): string[] {
  const [first, ...others] = specs
  const mode = title !== 'OpenStack' && others.length > 0 && others.every(o => o.mode === first?.mode) && first?.mode
  const rows = specs.map((o): [string, string] => [optionTerm(o), optionText(mode ? withoutMode(o) : o)])
  return [page.style.bold(mode ? `${title} (${mode} mode)` : title), ...twoColumns(rows, page), '']
}

const withoutMode = ({ mode: _, ...option }: OptionSpec): OptionSpec => option

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
  const also = o.also ?? []
  const spellings = [
    ...(o.short ? [`-${o.short}`] : []),
    ...also.filter(a => !a.startsWith('--')),
    `--${o.name}`,
    // only for a command's own options; a topic documents aliases that all commands have (--output)
    ...also.filter(a => a.startsWith('--') && o.group === undefined),
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
