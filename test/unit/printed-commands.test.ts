/** Command lines in the documentation are ones that coe takes: known words, known options, values that make sense. */
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
