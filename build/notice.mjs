// Collects the licences of the bundled packages, from the bundler's list of modules.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export function notice(output, root) {
  const packages = new Map()
  for (const module of output.flatMap(o => o.moduleIds ?? [])) {
    const input = relative(root, module.replaceAll('\0', ''))
    const at = input.lastIndexOf('node_modules/')
    if (at < 0) continue
    const rest = input.slice(at + 'node_modules/'.length).split('/')
    const name = rest[0].startsWith('@') ? `${rest[0]}/${rest[1]}` : rest[0]
    packages.set(name, join(root, input.slice(0, at), 'node_modules', name))
  }
  if (packages.size === 0) throw new Error('no package was found in the list of modules: has its form changed?')
  const parts = ['coe contains these packages, under their own licences.\n']
  for (const [name, folder] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find(f => /^licen[cs]e/i.test(f))
    const text = file
      ? readFileSync(join(folder, file), 'utf8').trim()
      : `(no licence file; package.json says ${manifest.license})`
    parts.push(`${'='.repeat(78)}\n${name} ${manifest.version} (${manifest.license ?? 'see below'})\n\n${text}\n`)
  }
  return parts.join('\n')
}
