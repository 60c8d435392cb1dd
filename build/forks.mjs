// What `coe driver init --from` copies: a built-in driver as plain JavaScript with its comments, and in lib/ what it uses of coe.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { parseSync, transformSync } from 'rolldown/experimental'

/** Drivers that make something. The others find clusters, which shelf_v1 shows in fewer lines. */
export const forkable = ['karmada_v1']

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = join(root, 'src')

/** @param {string} driver its name @param {string} folder for its files */
export async function makeFork(driver, folder) {
  const own = join(sources, 'drivers', driver)
  const files = readdirSync(own, { recursive: true }).filter(file => file.endsWith('.ts'))
  const library = new Map()
  for (const file of files) {
    const { code } = transformSync(file, readFileSync(join(own, file), 'utf8'), { target: 'node20' })
    write(join(folder, asScript(file)), placed(code, join(own, file), { own, folder, library }))
  }
  format(folder)
  await writeLibrary(library, join(folder, 'lib'))
}

const asScript = file => file.replace(/\.ts$/, '.js')

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Imports lead to the copies; what is not of the driver itself is noted for the library. */
function placed(code, file, { own, folder, library }) {
  const { module } = parseSync(asScript(file), code)
  const imports = [...module.staticImports, ...module.staticExports.flatMap(e => e.entries)]
  const specifiers = imports.map(({ moduleRequest }) => moduleRequest).filter(request => request?.value.startsWith('.'))
  const unique = [...new Map(specifiers.map(request => [request.start, request])).values()]
  let text = code
  for (const { value, start, end } of unique.sort((a, b) => b.start - a.start)) {
    const target = join(dirname(file), value)
    const isOwn = !relative(own, target).startsWith('..')
    if (!isOwn) library.set(asScript(relative(sources, target)).slice(0, -3), target)
    const place = isOwn ? join(folder, relative(own, target)) : join(folder, 'lib', relative(sources, target))
    const path = asScript(relative(dirname(join(folder, relative(own, file))), place))
    text = `${text.slice(0, start)}'${path.startsWith('.') ? path : `./${path}`}'${text.slice(end)}`
  }
  return text
}

function format(folder) {
  const biome = join(root, 'node_modules/.bin/biome')
  execFileSync(biome, ['format', '--write', '--config-path', join(root, 'build/forks.biome.json'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function writeLibrary(library, folder) {
  const build = await rolldown({
    input: Object.fromEntries(library),
    platform: 'node',
    transform: { target: 'node20' },
    resolve: { alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') } },
    onLog(level, log, handle) {
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level === 'warn' ? 'error' : level, log)
    },
  })
  await build.write({
    dir: folder,
    format: 'esm',
    minify: false,
    comments: { legal: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  })
}
