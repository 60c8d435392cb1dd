// docs/performance.md: a section for each part, each made by itself and left alone by the others.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from './measure.mjs'

const file = join(root, 'docs/performance.md')
const order = ['magnum', 'members', 'engine']

const head = `# Performance

Each section names the command that made it, on one machine, in one run. Compare the ratios, not the times.
\`npm run bench\` makes all sections that the environment allows, \`npm run bench -- NAME\` one of them (${order.join(', ')}).
`

const begin = name => `<!-- bench:${name} -->`
const end = name => `<!-- end:${name} -->`

function sectionsOf(text) {
  const found = order.map(name => {
    const from = text.indexOf(begin(name))
    const to = text.indexOf(end(name))
    return [name, from < 0 || to < 0 ? undefined : text.slice(from + begin(name).length, to).trim()]
  })
  return Object.fromEntries(found)
}

export function writeSection(name, title, text) {
  const made = `Made by \`npm run bench -- ${name}\` on ${cpus().length} cores, Node ${process.version}.`
  const sections = { ...sectionsOf(readFileSync(file, 'utf8')), [name]: `## ${title}\n\n${made} ${text.trim()}` }
  const parts = order.filter(n => sections[n]).map(n => `${begin(n)}\n${sections[n]}\n${end(n)}\n`)
  writeFileSync(file, [head, ...parts].join('\n'))
  process.stdout.write(`${sections[name]}\n`)
}

const row = cells => `| ${cells.join(' | ')} |`

export const table = (header, rows) => [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n')

/** Rows of `[what, budget, measured, whether it holds]`; those that were not measured are left out. */
export const budgetTable = budgets =>
  table(
    ['what', 'budget', 'measured', ''],
    budgets
      .filter(b => !/NaN|–/.test(b[2]))
      .map(([what, budget, measured, holds]) => [
        what,
        budget,
        measured,
        budget && (holds ? 'holds' : '**does not hold**'),
      ]),
  )
