/** Command lines in the documentation, and next steps in the code, are ones that coe takes: known words, known options. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { globalOptions } from '../../src/cli/options/globals.ts'
import { anyOutputOptions } from '../../src/cli/options/output-options.ts'
import { allOptions } from '../../src/cli/parse/all-options.ts'
import { argumentValues, optionValues, split } from '../../src/cli/parse/parser.ts'
import { findCommand } from '../../src/cli/tree.ts'
import { registry } from '../../src/wiring/registry.ts'
import { words } from '../support/run.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
  ...readdirSync(join(root, 'docs/guide')).map(name => `docs/guide/${name}`),
]

/** Lines of shell blocks, and what is typed in recorded sessions: each `coe …` in them, also within `$( )` and after `--`. */
function commandLines(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm)].flatMap(([, kind, block = '']) =>
    block
      .split('\n')
      .filter(line => kind === 'sh' || line.startsWith('$ '))
      .flatMap(line => line.split(/(?<![\w/.-])(?=coe\s)/))
      .filter(part => /^coe\s/.test(part))
      .map(ended),
  )
}

/** Up to where the shell takes over. */
const ended = (part: string): string =>
  part
    .replace(/"\$(\w+)"/g, '$1') // some word; its own name is one
    .replace(/ -- .*/, '')
    .replace(/\s+(?:\|\||&&|[|>#;]).*/, '')
    .replace(/(?<!\$)\)[\s"']*.*$/, '')
    .replace(/;.*$/, '')
    .trim()

async function problemOf(line: string): Promise<string | undefined> {
  // the text between quotes that a shell closes elsewhere is no part of the command
  const argv = words(line.replace(/['"]$/, m => (line.split(m).length % 2 ? m : ''))).slice(1)
  try {
    const found = findCommand(registry, argv, [...Object.values(globalOptions), ...anyOutputOptions])
    if (found.entry === undefined) return `${line}: no such command`
    const command = await found.entry.load()
    const options = allOptions(command)
    const { given, positionals } = split(found.rest, Object.values(options), command.words)
    optionValues(options, given, command.words)
    if (command.words !== 'sandbox run') argumentValues(command, positionals)
    return undefined
  } catch (error) {
    return `${line}: ${(error as Error).message}`
  }
}

describe('what the documentation prints', () => {
  it('is looked at', () => {
    expect(commandLines('README.md').length).toBeGreaterThan(10)
    expect(pages.flatMap(commandLines).length).toBeGreaterThan(40)
  })

  it.each(pages)('%s has lines that coe takes', async page => {
    const problems = await Promise.all(commandLines(page).map(problemOf))
    expect(problems.filter(Boolean)).toEqual([])
  })
})

interface Step {
  place: string
  words: string
  options: string[]
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.ts'),
)

/** The arguments of a call, as they are written: `open` is the place of its parenthesis. */
function argumentsAt(text: string, open: number): string[] {
  const args: string[] = ['']
  let depth = 0
  for (const [token] of text.slice(open).matchAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[\s\S]/g)) {
    if (/^[)\]}]$/.test(token) && --depth === 0) return args
    if (depth === 1 && token === ',') args.push('')
    else if (depth > 0) args[args.length - 1] += token
    if (/^[([{]$/.test(token)) depth++
  }
  return args
}

/** Each `nextStep(why, 'cluster show', …)` with the options that stand in the call itself. */
function stepsIn(path: string): Step[] {
  const text = readFileSync(join(root, 'src', path), 'utf8')
  return [...text.matchAll(/\b(?:nextStep|standaloneStep)\(/g)].flatMap(({ 0: call, index }) => {
    const [, command = '', ...rest] = argumentsAt(text, index + call.length - 1)
    const words = /^\s*'([\w -]+)'\s*$/.exec(command)?.[1]
    if (words === undefined) return []
    const options = rest.join(',').matchAll(/(?:optionArgs\(|flagArg\(|\boption: )'([\w-]+)'/g)
    const line = text.slice(0, index).split('\n').length
    return [{ place: `${path}:${line}`, words, options: [...options].map(([, option]) => option as string) }]
  })
}

async function wrongIn({ place, words: command, options }: Step): Promise<string[]> {
  const entry = registry.entries.find(e => e.words === command)
  if (!entry) return [`${place}: there is no command "${command}"`]
  const known = Object.values(allOptions(await entry.load())).flatMap(o => [
    o.name,
    ...(o.also ?? []).map(spelling => spelling.replace(/^--/, '')),
  ])
  return options.filter(o => !known.includes(o)).map(o => `${place}: "${command}" has no option --${o}`)
}

describe('what to run next', () => {
  const steps = sources.flatMap(stepsIn)

  it('is looked at', () => {
    expect(steps.length).toBeGreaterThan(80)
    expect(steps.flatMap(step => step.options).length).toBeGreaterThan(20)
  })

  it('is a command that there is, with options that it has', async () => {
    const wrong = await Promise.all(steps.map(wrongIn))
    expect(wrong.flat()).toEqual([])
  })

  it('would be found if it were not', async () => {
    const step = { place: 'x.ts:1', words: 'cluster show', options: ['nonsense'] }
    expect(await wrongIn(step)).toEqual(['x.ts:1: "cluster show" has no option --nonsense'])
    expect(await wrongIn({ ...step, words: 'cluster display' })).toHaveLength(1)
  })
})
