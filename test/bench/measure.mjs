// Runs a command and says how long it took, what it took of memory and processor, and what it asked of servers.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const coe = [process.execPath, join(root, 'bin/coe.js')]
export const home = mkdtempSync(join(tmpdir(), 'coe-bench-'))
// certificates that Node reads before any program begins: a setting of some machines, no matter of any client measured here
const { NODE_EXTRA_CA_CERTS: extraCertificates, ...environment } = process.env
export const base = { ...environment, COE_CACHE_DIR: join(home, 'cache'), NO_COLOR: '1' }
export const withExtraCertificates = extraCertificates && { ...base, NODE_EXTRA_CA_CERTS: extraCertificates }
const timer = existsSync('/usr/bin/time')

export function run(words, env = base) {
  const [command, ...args] = timer ? ['/usr/bin/time', '-q', '-f', '@@%M %U %S', ...words] : words
  const begun = process.hrtime.bigint()
  const done = spawnSync(command, args, { env, encoding: 'utf8', cwd: home, maxBuffer: 1 << 28 })
  const ms = Number(process.hrtime.bigint() - begun) / 1e6
  const [, kb, user, system] = /@@(\d+) ([\d.]+) ([\d.]+)\s*$/.exec(done.stderr) ?? []
  const cpu = Number(user) + Number(system)
  return { ms, mb: Number(kb) / 1024, cpu, code: done.status, out: done.stdout, err: done.stderr }
}

/** The same, and it must succeed. */
export function must(words, env) {
  const done = run(words, env)
  if (done.code !== 0) throw new Error(`${words.join(' ')} ended with ${done.code}: ${done.err.slice(-600)}`)
  return done
}

/** What a run with --timing asked: `GET https://…`. */
export const requestsIn = ({ err }) =>
  [...err.matchAll(/^([A-Z]+) (https?:\/\/\S+) [\d.]+ s/gm)].map(([, method, url]) => ({ method, url }))

export const which = (...names) => names.find(n => n && spawnSync('sh', ['-c', `command -v ${n}`]).status === 0)
export const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
export const round = (n, digits = 0) => (Number.isFinite(n) ? n.toFixed(digits) : '–')
