// One command against Magnum: coe beside the clients that it replaces, on whatever cloud the environment names (OS_CLOUD …).
// Runs are interleaved, so that a slow minute of the machine hits all alike; what counts are ratios of medians.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { base, coe, home, median, requestsIn, round, run, which, withExtraCertificates } from './measure.mjs'
import { budgetTable, table, writeSection } from './page.mjs'

const rounds = Number(process.env.COE_BENCH_ROUNDS ?? 11)
const cold = { ...base, COE_TOKEN_CACHE: 'false' }
// the stock client runs in the environment of its own system, without what leads Python astray
const plain = Object.fromEntries(Object.entries(process.env).filter(([k]) => /^(OS_|HOME$|LANG$)/.test(k)))
const stockEnv = { ...plain, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }
const cloud = process.env.OS_CLOUD ?? process.env.OS_AUTH_URL

export const possible = () => undefined

/** The server's share: the same request by a client that is running already. */
async function serverShare(url, token) {
  const begun = process.hrtime.bigint()
  const answer = await fetch(url, { headers: { 'x-auth-token': token } })
  await answer.text()
  return Number(process.hrtime.bigint() - begun) / 1e6
}

const local = [
  { name: 'node -e 0', words: [process.execPath, '-e', '0'] },
  { name: 'coe --version', words: [...coe, '--version'] },
  { name: 'coe --help', words: [...coe, '--help'] },
  { name: 'coe __complete (words)', words: [...coe, '__complete', 'cluster', ''] },
]
if (withExtraCertificates) {
  local.push({
    name: 'node -e 0, NODE_EXTRA_CA_CERTS set',
    words: [process.execPath, '-e', '0'],
    env: withExtraCertificates,
  })
}

const forgetNames = () => rmSync(join(home, 'cache/names'), { recursive: true, force: true })

/** The cases that need a cloud, and how the server alone is asked. */
function remote() {
  const first = run([...coe, 'cluster', 'list', '-f', 'json'])
  if (first.code !== 0) throw new Error(`coe cluster list failed: ${first.err}`)
  const [cluster] = JSON.parse(first.out)
  const stock = which('/usr/bin/openstack', 'openstack')
  const osc = which(process.env.COE_BENCH_OSC, 'osc')
  const cases = [
    { name: 'coe cluster list', words: [...coe, 'cluster', 'list'] },
    { name: 'coe cluster list, no kept token', words: [...coe, 'cluster', 'list'], env: cold },
    { name: 'coe __complete (names, kept)', words: [...coe, '__complete', 'cluster', 'show', ''] },
    {
      name: 'coe __complete (names, asked)',
      words: [...coe, '__complete', 'cluster', 'show', ''],
      before: forgetNames,
    },
  ]
  if (stock) cases.push({ name: 'openstack coe cluster list', words: [stock, 'coe', 'cluster', 'list'], env: stockEnv })
  // osc cannot read labels that are not numbers, so its table fails; JSON it passes on as it came
  const named = process.env.OS_CLOUD ? ['--os-cloud', process.env.OS_CLOUD] : []
  const oscWords = [osc, ...named, '-o', 'json', 'container-infrastructure', 'cluster', 'list']
  if (osc) cases.push({ name: 'osc … cluster list -o json', words: oscWords })
  if (cluster) {
    cases.push({ name: 'coe cluster show <uuid>', words: [...coe, 'cluster', 'show', cluster.uuid] })
    const words = [stock, 'coe', 'cluster', 'show', cluster.uuid]
    if (stock) cases.push({ name: 'openstack coe cluster show <uuid>', words, env: stockEnv })
  }
  const status = JSON.parse(run([...coe, 'auth', 'status', '-f', 'json']).out)
  const tokens = join(home, 'cache/tokens')
  const { token } = JSON.parse(readFileSync(join(tokens, readdirSync(tokens)[0]), 'utf8'))
  return { cases, share: () => serverShare(`${status.magnum_endpoint}/clusters`, token) }
}

export async function measure() {
  const { cases: more, share } = cloud ? remote() : { cases: [] }
  const cases = [...local, ...more]
  for (const c of cases) run(c.words, c.env) // warm files and caches
  const shares = []
  for (let i = 0; i < rounds; i++) {
    for (const c of cases) {
      c.before?.()
      const r = run(c.words, c.env)
      if (r.code !== 0) c.failed = r.err.slice(0, 200)
      c.ms = [...(c.ms ?? []), r.ms]
      c.mb = [...(c.mb ?? []), r.mb]
    }
    if (share) shares.push(await share())
  }
  write(cases, shares.length ? median(shares) : Number.NaN)
}

/** It keeps no token and asks for versions each time. */
function stockRequests({ words: [command, ...words], env }) {
  const { err } = run([command, '--debug', ...words], env)
  return String(err.match(/^REQ: curl/gm)?.length ?? '–')
}

function write(cases, server) {
  const at = name => cases.find(c => c.name === name)
  const ms = name => (at(name) ? median(at(name).ms) : Number.NaN)
  const mb = name => (at(name) ? median(at(name).mb) : Number.NaN)
  const count = words => requestsIn(run([...words, '--timing'])).length
  const list = ms('coe cluster list')
  const stock = ms('openstack coe cluster list')
  const over = ms('coe --version') - ms('node -e 0')
  const memory = mb('coe cluster list') / mb('openstack coe cluster list')
  const osc = list / ms('osc … cluster list -o json')
  const names = ms('coe __complete (names, asked)')
  const keptNames = ms('coe __complete (names, kept)')
  const counts = cloud
    ? ['coe cluster list', 'coe cluster show <uuid>'].map(name => (at(name) ? count(at(name).words) : 1))
    : []
  const alone = (stock - server) / (list - server)
  const budgets = [
    ['`coe --version`, over `node -e 0`', '+ 12 ms', `+ ${round(over)} ms`, over <= 12],
    [
      '`coe cluster list` against the stock client, in all',
      '5 times faster',
      `${round(stock / list, 1)} times`,
      stock / list >= 5,
    ],
    ["the same without the server's share", '8 times faster', `${round(alone, 1)} times`, alone >= 8],
    ['its memory', '0.6', round(memory, 2), memory <= 0.6],
    ['against `osc`', 'no slower', `${round(osc, 2)} of its time`, osc <= 1],
    [
      'requests of a warm `cluster list` / `show` by uuid',
      '1 / 1',
      counts.length ? counts.join(' / ') : '–',
      counts.every(n => n === 1),
    ],
    ['completion of names that were completed a moment ago', 'under 150 ms', `${round(keptNames)} ms`, keptNames < 150],
    ['completion of names that come from the cloud', 'under 150 ms', `${round(names)} ms`, names < 150],
    ["the same without the server's share", 'under 150 ms', `${round(names - server)} ms`, names - server < 150],
  ]
  const stockList = at('openstack coe cluster list')
  if (stockList) budgets.push(['requests of the stock client for the same list', '', stockRequests(stockList), true])
  const rows = cases.map(c => [
    `\`${c.name}\``,
    round(median(c.ms)),
    `${round(Math.min(...c.ms))}–${round(Math.max(...c.ms))}`,
    round(median(c.mb), 1),
    c.failed ? `fails: ${c.failed.replaceAll('|', ' ').replaceAll('\n', ' ')}` : '',
  ])
  const told = cloud
    ? `The server's share of a list, measured with a client that was already running, was ${round(server)} ms.`
    : 'No cloud was named by the environment, so nothing was compared with other clients.'
  const aside = withExtraCertificates
    ? ' This machine sets NODE_EXTRA_CA_CERTS, which costs every Node program the difference between two rows below; the other rows run without it.'
    : ''
  const text = `Interleaved rounds: ${rounds}; medians. ${told}${aside}

${budgetTable(budgets)}

${table(['command', 'ms', 'spread', 'MB', ''], rows)}`
  writeSection('magnum', 'One command', text)
}
