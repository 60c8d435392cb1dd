// The licences of what is bundled, from the bundler's own list of inputs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function notice(metafile, root) {
  const packages = new Map()
  for (const input of Object.keys(metafile.inputs)) {
    const at = input.lastIndexOf('node_modules/')
    if (at < 0) continue
    const rest = input.slice(at + 'node_modules/'.length).split('/')
    const name = rest[0].startsWith('@') ? `${rest[0]}/${rest[1]}` : rest[0]
    packages.set(name, join(root, input.slice(0, at), 'node_modules', name))
  }
  const parts = ['coe contains these packages, under their own licences.\n']
  for (const [name, folder] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = existsSync(folder) && readdirSync(folder).find(f => /^licen[cs]e/i.test(f))
    const text = file
      ? readFileSync(join(folder, file), 'utf8').trim()
      : `(no licence file; package.json says ${manifest.license})`
    parts.push(`${'='.repeat(78)}\n${name} ${manifest.version} (${manifest.license ?? 'see below'})\n\n${text}\n`)
  }
  return parts.join('\n')
}
