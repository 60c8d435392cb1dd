// Measures coe beside what it replaces, and at a size; writes docs/performance.md, of which each part makes its own section.
import { rmSync } from 'node:fs'
import { home } from './measure.mjs'

const parts = {
  magnum: () => import('./magnum.mjs'),
  members: () => import('./members.mjs'),
  engine: () => import('./engine.mjs'),
}
const asked = process.argv.slice(2)
const unknown = asked.find(name => !(name in parts))
if (unknown) throw new Error(`there is no part "${unknown}": ${Object.keys(parts).join(', ')}`)
try {
  for (const name of asked.length ? asked : Object.keys(parts)) {
    const { possible, measure } = await parts[name]()
    const why = await possible()
    if (why === undefined) await measure()
    else if (asked.length) throw new Error(`${name} cannot be measured here: ${why}`)
    else process.stderr.write(`${name}: not measured, its section stays as it is: ${why}\n`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
