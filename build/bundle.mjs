// The bundler's settings. Rolldown rather than esbuild: only it lets us say what belongs into one file. Left to itself, a
// split bundle of this tree is forty files for one `cluster list`, which is 5 MB of memory and 20 ms more than six files.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const path = relative => fileURLToPath(new URL(relative, import.meta.url))

/** Loaded by Node, where the others are loaded by ourselves: by its name, which has no hash. */
const native = 'native'

/** The program: files that every run loads; those that every run in Magnum mode loads; and the commands of that mode, by group. */
const groups = [
  { name: native, test: /\/src\/core\/import-module\.ts/, priority: 20 },
  {
    name: 'base',
    test: /\/src\/(?:core|cli|config|model)\/(?!.*(?:help|reference|topics|complet|kubeconfig))/,
    priority: 9,
  },
  {
    name: 'base',
    test: /\/src\/(?:main|wire|wiring\/open(?:er|-backend))\.ts|\/src\/io\/(?!formats\/table|progress\.)|\/commands\/(?:registry|[a-z]+-entries)/,
    priority: 9,
  },
  { name: 'table', test: /\/cli-table3\/|\/src\/io\/formats\/table/, priority: 8 },
  { name: 'cloud', test: /\/src\/(?:openstack|http|magnum)\/|\/src\/wiring\/magnum-mode/, priority: 7 },
  ...['cluster', 'template', 'nodegroup', 'federation'].map(group => ({
    name: `commands-${group}`,
    test: new RegExp(`/src/commands/${group}/`),
    priority: 6,
  })),
]

/** Parts of got that it always loads and uses only with options that we never set: a third of its size, and of its time. */
const notBuiltIn = ['http2-wrapper', 'cacheable-request', 'cacheable-lookup', 'form-data-encoder']

/** A dependency of got makes a list formatter as it loads: 8 MB of language data for a text that we never print. */
const withoutListFormat = {
  name: 'without-list-format',
  transform(code, id) {
    if (!/@sindresorhus\/is\/.*\.js$/.test(id) || !code.includes('new Intl.ListFormat(')) return undefined
    return code.replaceAll(/new Intl\.ListFormat\([^)]*\)/g, "({ format: list => [...list].join(' or ') })")
  },
}

/** What is there before the program, in one file; and the program, or another entry to it. */
export async function bundle({ entry = 'src/main.ts', ...options }) {
  const launch = await bundled({ ...options, entry: 'src/cli/start/launch.ts', codeSplitting: false })
  return [...launch, ...(await bundled({ ...options, entry, codeSplitting: { groups } }))]
}

async function bundled({ entry, codeSplitting, folder, version, commit, minify }) {
  const build = await rolldown({
    input: entry,
    platform: 'node',
    plugins: [withoutListFormat],
    transform: {
      target: 'node20',
      define: { COE_VERSION: JSON.stringify(version), COE_COMMIT: JSON.stringify(commit) },
    },
    resolve: {
      alias: {
        ...Object.fromEntries(notBuiltIn.map(name => [name, path('not-built-in.mjs')])),
        // the same parser as ES modules: what is not used stays out
        yaml: path('../node_modules/yaml/browser/index.js'),
      },
    },
    onLog(level, log, handle) {
      // a module that is loaded now here and later there is loaded now: as it should be
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level === 'warn' ? 'error' : level, log)
    },
  })
  const { output } = await build.write({
    dir: folder,
    // required rather than imported: no ES module facade for each of Node's own modules, and V8's code can be kept
    format: 'cjs',
    minify,
    comments: { legal: false },
    entryFileNames: '[name].cjs',
    chunkFileNames: ({ name }) => (name === native ? 'chunks/[name].cjs' : 'chunks/[name]-[hash].cjs'),
    codeSplitting,
  })
  await build.close()
  return output
}
