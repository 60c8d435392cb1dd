// Measures coe beside what it replaces, on whatever cloud the environment names (OS_CLOUD …), and writes docs/performance.md.
// Runs are interleaved, so that a slow minute of the machine hits all alike; what counts are ratios of medians.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.env.COE_BENCH_ROUNDS ?? 11)
const root = fileURLToPath(new URL('../../', import.meta.url))
const coe = [process.execPath, join(root, 'bin/coe.js')]
const home = mkdtempSync(join(tmpdir(), 'coe-bench-'))
const base = { ...process.env, COE_CACHE_DIR: join(home, 'cache'), NO_COLOR: '1' }
const cold = { ...base, COE_TOKEN_CACHE: 'false' }
// the stock client runs in the environment of its own system, without what leads Python astray
const plain = Object.fromEntries(Object.entries(process.env).filter(([k]) => /^(OS_|HOME$|LANG$)/.test(k)))
const stockEnv = { ...plain, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }

const which = (...names) => names.find(n => n && spawnSync('sh', ['-c', `command -v ${n}`]).status === 0)
const stock = which('/usr/bin/openstack', 'openstack')
const osc = which(process.env.COE_BENCH_OSC, 'osc')
const cloud = process.env.OS_CLOUD ?? process.env.OS_AUTH_URL
const timer = existsSync('/usr/bin/time')

function run(words, env = base) {
  const [command, ...args] = timer ? ['/usr/bin/time', '-q', '-f', '@@%M', ...words] : words
  const begun = process.hrtime.bigint()
  const done = spawnSync(command, args, { env, encoding: 'utf8', cwd: home })
  const ms = Number(process.hrtime.bigint() - begun) / 1e6
  const kb = Number(/@@(\d+)\s*$/.exec(done.stderr)?.[1] ?? Number.NaN)
  return { ms, mb: kb / 1024, code: done.status, out: done.stdout, err: done.stderr }
}

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const round = (n, digits = 0) => (Number.isFinite(n) ? n.toFixed(digits) : '–')

/** The server's share: the same request by a client that is running already. */
async function serverShare(url, token) {
  const begun = process.hrtime.bigint()
  const answer = await fetch(url, { headers: { 'x-auth-token': token } })
  await answer.text()
  return Number(process.hrtime.bigint() - begun) / 1e6
}

const cases = [
  { name: 'node -e 0', words: [process.execPath, '-e', '0'] },
  { name: 'coe --version', words: [...coe, '--version'] },
  { name: 'coe --help', words: [...coe, '--help'] },
  { name: 'coe __complete (words)', words: [...coe, '__complete', 'cluster', ''] },
]
const share = []
let url
let token
if (cloud) {
  const first = run([...coe, 'cluster', 'list', '-f', 'json'])
  if (first.code !== 0) throw new Error(`coe cluster list failed: ${first.err}`)
  const [cluster] = JSON.parse(first.out)
  cases.push(
    { name: 'coe cluster list', words: [...coe, 'cluster', 'list'] },
    { name: 'coe cluster list, no kept token', words: [...coe, 'cluster', 'list'], env: cold },
    { name: 'coe __complete (names)', words: [...coe, '__complete', 'cluster', 'show', ''] },
  )
  if (stock) cases.push({ name: 'openstack coe cluster list', words: [stock, 'coe', 'cluster', 'list'], env: stockEnv })
  // osc cannot read labels that are not numbers, so its table fails; JSON it passes on as it came
  if (osc)
    cases.push({
      name: 'osc … cluster list -o json',
      words: [
        osc,
        ...(process.env.OS_CLOUD ? ['--os-cloud', process.env.OS_CLOUD] : []),
        '-o',
        'json',
        'container-infrastructure',
        'cluster',
        'list',
      ],
    })
  if (cluster) {
    cases.push({ name: 'coe cluster show <uuid>', words: [...coe, 'cluster', 'show', cluster.uuid] })
    if (stock)
      cases.push({
        name: 'openstack coe cluster show <uuid>',
        words: [stock, 'coe', 'cluster', 'show', cluster.uuid],
        env: stockEnv,
      })
  }
  const status = JSON.parse(run([...coe, 'auth', 'status', '-f', 'json']).out)
  url = `${status.magnum_endpoint}/clusters`
  const { readdirSync, readFileSync } = await import('node:fs')
  const tokens = join(home, 'cache/tokens')
  token = JSON.parse(readFileSync(join(tokens, readdirSync(tokens)[0]), 'utf8')).token
}

for (const c of cases) run(c.words, c.env) // warm files and caches
for (let i = 0; i < rounds; i++) {
  for (const c of cases) {
    const r = run(c.words, c.env)
    if (r.code !== 0) c.failed = r.err.slice(0, 200)
    c.ms = [...(c.ms ?? []), r.ms]
    c.mb = [...(c.mb ?? []), r.mb]
  }
  if (url) share.push(await serverShare(url, token))
}

const requests = words =>
  run([...words, '--timing'], base)
    .err.split('\n')
    .filter(l => /^[A-Z]+ http/.test(l)).length
const at = name => cases.find(c => c.name === name)
const ms = name => (at(name) ? median(at(name).ms) : Number.NaN)
const mb = name => (at(name) ? median(at(name).mb) : Number.NaN)
const server = share.length ? median(share) : Number.NaN
const floor = ms('node -e 0')

const rows = cases.map(c => [
  c.name,
  round(median(c.ms)),
  `${round(Math.min(...c.ms))}–${round(Math.max(...c.ms))}`,
  round(median(c.mb), 1),
  c.failed ? `fails: ${c.failed}` : '',
])
const list = ms('coe cluster list')
const budgets = [
  [
    '`coe --version`, over `node -e 0`',
    '+ 12 ms',
    `+ ${round(ms('coe --version') - floor)} ms`,
    ms('coe --version') - floor <= 12,
  ],
  [
    '`coe cluster list` against the stock client, in all',
    '5 times faster',
    `${round(ms('openstack coe cluster list') / list, 1)} times`,
    ms('openstack coe cluster list') / list >= 5,
  ],
  [
    'the same without the server’s share',
    '8 times faster',
    `${round((ms('openstack coe cluster list') - server) / (list - server), 1)} times`,
    (ms('openstack coe cluster list') - server) / (list - server) >= 8,
  ],
  [
    'its memory',
    '0.6',
    round(mb('coe cluster list') / mb('openstack coe cluster list'), 2),
    mb('coe cluster list') / mb('openstack coe cluster list') <= 0.6,
  ],
  [
    'against `osc`',
    'no slower',
    `${round(list / ms('osc … cluster list -o json'), 2)} of its time`,
    list <= ms('osc … cluster list -o json'),
  ],
  [
    'requests of a warm `cluster list` / `show` by uuid',
    '1 / 1',
    url
      ? `${requests([...coe, 'cluster', 'list'])} / ${requests(at('coe cluster show <uuid>')?.words ?? [...coe, 'cluster', 'list'])}`
      : '–',
    true,
  ],
  [
    'completion of names',
    'under 150 ms',
    `${round(ms('coe __complete (names)'))} ms`,
    ms('coe __complete (names)') < 150,
  ],
]
const verdict = ok => (ok ? 'holds' : '**does not hold**')
const text = `# Performance

Made by \`npm run bench\` (${rounds} interleaved rounds; medians) on ${cpus().length} cores, Node ${process.version}. Compare the ratios, not the
times: they are of one machine in one run. The server’s share of a list, asked by a client that is running already, was ${round(server)} ms.

| what | budget | measured | |
|---|---|---|---|
${budgets
  .filter(b => !/NaN|–/.test(b[2]))
  .map(b => `| ${b[0]} | ${b[1]} | ${b[2]} | ${verdict(b[3])} |`)
  .join('\n')}

| command | ms | spread | MB | |
|---|---|---|---|---|
${rows.map(r => `| \`${r[0]}\` | ${r[1]} | ${r[2]} | ${r[3]} | ${r[4].replaceAll('|', ' ').replaceAll('\n', ' ')} |`).join('\n')}
${cloud ? '' : '\nNo cloud was named by the environment, so nothing was compared with other clients.\n'}`
writeFileSync(join(root, 'docs/performance.md'), text)
rmSync(home, { recursive: true, force: true })
process.stdout.write(text)
