// Writes what can be generated: docs/reference, its schemas, completions. What is no longer generated is removed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
mkdirSync(join(root, 'dist'), { recursive: true })
const folder = mkdtempSync(join(root, 'dist', 'docs-'))
try {
  await build({
    absWorkingDir: root,
    entryPoints: { documents: 'src/documents.ts' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outdir: folder,
    define: { COE_VERSION: '"docs"', COE_COMMIT: '"docs"' },
    banner: {
      js: "import{createRequire as __coeRequire}from'node:module';const require=__coeRequire(import.meta.url);",
    },
  })
  const { documents } = await import(pathToFileURL(join(folder, 'documents.js')).href)
  const files = await documents()
  rmSync(join(root, 'docs/reference'), { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
