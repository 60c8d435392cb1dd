// Writes the generated files: docs/reference, its schemas, completions. Removes files that are no longer generated.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle } from './bundle.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const folder = mkdtempSync(join(root, 'dist.docs-'))
try {
  await bundle({ entry: 'build/docs/documents.ts', folder, version: 'docs', commit: 'docs', minify: false })
  const { documents } = await import(pathToFileURL(join(folder, 'documents.cjs')).href)
  const files = await documents()
  rmSync(join(root, 'docs/reference'), { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
