// Packs the program, installs the package as a user would, and runs it from another folder.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'coe-package-'))
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder], root),
  )
  run('npm', ['install', '--global', '--silent', '--prefix', join(folder, 'prefix'), join(folder, filename)], folder)
  const output = run(join(folder, 'prefix/bin/coe'), ['--version'], folder)
  if (!/^coe \d+\.\d+\.\d+\n$/.test(output)) throw new Error(`the installed coe printed: ${output}`)
  run(join(folder, 'prefix/bin/coe'), ['help', 'cluster', 'list'], folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
