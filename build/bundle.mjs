// The bundler's settings. Rolldown rather than esbuild: only it lets us say what belongs into one file. Left to itself, a
// split bundle of this tree is forty files for one `cluster list`, which is 5 MB of memory and 20 ms more than five files.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const path = relative => fileURLToPath(new URL(relative, import.meta.url))

/** Files that every run loads; those that every run in Magnum mode loads; and the commands of that mode. */
const groups = [
  {
    name: 'base',
    test: /\/src\/(?:core|cli|config|model)\/(?!.*(?:help|reference|topics|complet|kubeconfig))/,
    priority: 9,
  },
  {
    name: 'base',
    test: /\/src\/(?:main|wire)\.ts|\/src\/io\/(?!table|progress\.)|\/commands\/(?:registry|magnum-entries)/,
    priority: 9,
  },
  { name: 'table', test: /\/cli-table3\/|\/src\/io\/table/, priority: 8 },
  { name: 'cloud', test: /\/src\/(?:openstack|http|magnum)\/|\/src\/magnum-mode/, priority: 7 },
  {
    name: 'magnum-commands',
    test: /\/src\/commands\/(?:cluster|template|nodegroup|ca|credential|quotas|service|stats|federation)\//,
    priority: 6,
  },
]

/** A dependency of got makes a list formatter as it loads: 8 MB of language data for a text that we never print. */
const withoutListFormat = {
  name: 'without-list-format',
  transform(code, id) {
    if (!/@sindresorhus\/is\/.*\.js$/.test(id) || !code.includes('new Intl.ListFormat(')) return undefined
    return code.replaceAll(/new Intl\.ListFormat\([^)]*\)/g, "({ format: list => [...list].join(' or ') })")
  },
}

export async function bundle({ input, folder, version, commit, minify }) {
  const build = await rolldown({
    input,
    platform: 'node',
    plugins: [withoutListFormat],
    transform: {
      target: 'node20',
      define: { COE_VERSION: JSON.stringify(version), COE_COMMIT: JSON.stringify(commit) },
    },
    resolve: {
      alias: {
        // got takes HTTP/2 along, which we never speak and which takes 18 ms to load
        'http2-wrapper': path('no-http2.mjs'),
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
    format: 'esm',
    minify,
    comments: { legal: false },
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
  })
  await build.close()
  return output
}
