/** A copy of a driver that comes with coe, under a name of its own. `npm run build` puts what is copied into dist/forks. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failed, usage } from '../../core/errors.ts'
import { put, type Scaffold, scaffoldFrom } from './scaffold.ts'

export async function forkDriver(parent: string, name: string, from: string, shelf?: string): Promise<Scaffold> {
  const forks = shelf ?? (await findForks())
  const drivers = (await readdir(forks)).sort()
  if (!drivers.includes(from)) {
    throw usage(`driver "${from}" cannot be forked`, { hint: `these can: ${drivers.join(', ')}` })
  }
  const renamed = (text: string, file: string) => (file === 'version.js' ? named(text, from, name) : text)
  const made = await scaffoldFrom(join(forks, from), parent, name, renamed)
  const more = { 'package.json': manifest(name), 'README.md': readme(name, from) }
  for (const [file, text] of Object.entries(more)) await put(join(made.folder, file), text)
  return { ...made, files: [...made.files, ...Object.keys(more)].sort() }
}

/** Its name is told in records, in help and in lists; its title there, too. */
const named = (text: string, from: string, name: string): string =>
  text.replaceAll(`'${from}'`, `'${name}'`).replace(/(title: ')/, `$1fork of ${from}: `)

const manifest = (name: string): string =>
  `${JSON.stringify({ name: `coe-driver-${name.replaceAll('_', '-')}`, private: true, type: 'module', main: 'driver.js', scripts: { test: 'coe driver test .' } }, null, 2)}\n`

const readme = (name: string, from: string): string => `# ${name}

A fork of ${from}, the driver that comes with coe.

| what | |
|---|---|
| \`version.js\` | name, version and options, as data |
| \`driver.js\`, \`open.js\` | the actions; each is put together from the files beside them |
| \`templates/\` | the objects |
| \`lib/\` | what ${from} uses of coe, as it was when this was forked |
| \`coe.d.ts\` | types of what coe gives and takes; nothing in it runs |

\`coe driver test .\` runs it through its whole life on simulated clusters. Federations that ${from} made stay with ${from}: this one makes new ones, with
\`coe --standalone federation create NAME --host HOST --driver ${name}\`; its options are given with \`--driver-option\`.
`

/** From the sources as from the bundle: the nearest dist/forks above this file. */
async function findForks(): Promise<string> {
  const here = fileURLToPath(import.meta.url)
  for (let at = dirname(here); at !== dirname(at); at = dirname(at)) {
    const forks = join(at, 'dist', 'forks')
    const found = await readFile(join(forks, 'karmada_v1', 'version.js')).catch(() => undefined)
    if (found) return forks
  }
  throw failed('this installation of coe has no dist/forks, which forks are made from', {
    hint: 'install the whole package; in a clone, npm run build makes it',
  })
}
