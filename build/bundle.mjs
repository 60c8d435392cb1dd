// The settings of the bundler. coe uses Rolldown rather than esbuild because it can group modules into files. Without groups,
// one `cluster list` loads forty files instead of six, which costs 5 MB of memory and 20 ms.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const path = relative => fileURLToPath(new URL(relative, import.meta.url))

/** The chunk without a hash in its name, which Node loads; src/cli/start/code-cache.ts loads the others. */
const native = 'native'

/** The program's chunks: modules of every run, modules of every run in Magnum mode, and the commands by group. */
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

/** Parts of got that it always loads, but uses only with options that coe never sets: a third of its size and loading time. */
const notBuiltIn = ['http2-wrapper', 'cacheable-request', 'cacheable-lookup', 'form-data-encoder']

/** A dependency of got creates a list formatter when it loads: 8 MB of language data for a text that coe never prints. */
const withoutListFormat = {
  name: 'without-list-format',
  transform(code, id) {
    if (!/@sindresorhus\/is\/.*\.js$/.test(id) || !code.includes('new Intl.ListFormat(')) return undefined
    return code.replaceAll(/new Intl\.ListFormat\([^)]*\)/g, "({ format: list => [...list].join(' or ') })")
  },
}

/** Bundles the launcher into one file, and the program, or another entry, into chunks. */
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
        // the same parser as ES modules, so that the bundle leaves out unused parts
        yaml: path('../node_modules/yaml/browser/index.js'),
      },
    },
    onLog(level, log, handle) {
      // ignored: a module that is imported statically in one place and dynamically in another
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level === 'warn' ? 'error' : level, log)
    },
  })
  const { output } = await build.write({
    dir: folder,
    // CommonJS needs no ES module facade for each of Node's own modules, and V8's code can be cached
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
