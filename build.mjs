// Bundles src/ into dist/: split, so that a command loads what it needs and nothing else. Writes NOTICE from what went in.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { notice } from './build/notice.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
process.chdir(root)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const commit = () => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return 'unknown'
  }
}

const next = `dist.${process.pid}`
const { metafile } = await build({
  entryPoints: { main: 'src/entry.ts' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: false,
  // beside dist/, which stays as it was when the build fails
  outdir: next,
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  legalComments: 'none',
  define: { COE_VERSION: JSON.stringify(version), COE_COMMIT: JSON.stringify(commit()) },
  // got takes HTTP/2 along, which we never speak and which takes 18 ms to load
  alias: {
    'http2-wrapper': fileURLToPath(new URL('build/no-http2.mjs', import.meta.url)),
    // the same parser as ES modules: what is imported later keeps its names, and what is not used stays out
    yaml: fileURLToPath(new URL('node_modules/yaml/browser/index.js', import.meta.url)),
  },
  banner: { js: "import{createRequire as __coeRequire}from'node:module';const require=__coeRequire(import.meta.url);" },
})
rmSync('dist', { recursive: true, force: true })
renameSync(next, 'dist')
writeFileSync('NOTICE', notice(metafile, root))
if (process.argv.includes('--meta')) writeFileSync('dist/meta.json', JSON.stringify(metafile))
