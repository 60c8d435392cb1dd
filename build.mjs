// Bundles src/ into dist/, so that a command loads what it needs and nothing else. Writes NOTICE from what went in.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './build/bundle.mjs'
import { forkable, makeFork } from './build/forks.mjs'
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

// beside dist/, which stays as it was when the build fails
const next = `dist.${process.pid}`
try {
  const output = await bundle({
    folder: next,
    version,
    commit: commit(),
    minify: true,
  })
  for (const driver of forkable) await makeFork(driver, `${next}/forks/${driver}`)
  rmSync('dist', { recursive: true, force: true })
  renameSync(next, 'dist')
  writeFileSync('NOTICE', notice(output, root))
} finally {
  rmSync(next, { recursive: true, force: true })
}
