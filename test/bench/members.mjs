// A federation of a hundred: simulated clusters, 20 ms away, in a process of their own beside coe's.
import { join } from 'node:path'
import { base, coe, home, median, must, requestsIn, round } from './measure.mjs'
import { budgetTable, table, writeSection } from './page.mjs'
import { stateOf } from './state.mjs'

const rounds = Number(process.env.COE_BENCH_ROUNDS ?? 3)
const sizes = [1, 10, 100]

export const possible = () => undefined

function startSandbox() {
  const folder = join(home, 'sandbox')
  const env = { ...base, HOME: folder, COE_CONFIG_DIR: folder, COE_STATE_DIR: folder }
  delete env.KUBECONFIG
  const size = ['--clusters', '0', '--members', '100', '--latency', '20ms']
  const { out } = must([...coe, 'sandbox', 'start', ...size], env)
  const inside = [...out.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value])
  return { inside: { ...base, ...Object.fromEntries(inside) }, stop: () => must([...coe, 'sandbox', 'stop'], env) }
}

export async function measure() {
  const { inside, stop } = startSandbox()
  const federation = (...words) => must([...coe, '--standalone', 'federation', ...words, '--timing'], inside)
  try {
    federation('create', 'big', '--host', 'host', '--expose', 'nodeport')
    const results = []
    for (const size of sizes) {
      const names = Array.from({ length: size }, (_, i) => `c${i + 2}`)
      const times = { joins: [], unjoins: [] }
      for (let i = 0; i < rounds; i++) {
        if (i > 0) times.unjoins.push(federation('unjoin', 'big', ...names))
        times.joins.push(federation('join', 'big', ...names))
      }
      const looks = Object.fromEntries(['show', 'list', 'status'].map(verb => [verb, looksOf(federation, verb)]))
      results.push({ size, ...times, looks, state: await stateOf(inside.KUBECONFIG, 'coe-fed-big') })
      times.unjoins.push(federation('unjoin', 'big', ...names))
    }
    write(results)
  } finally {
    stop()
  }
}

const looksOf = (federation, verb) =>
  Array.from({ length: rounds }, () => federation(verb, ...(verb === 'list' ? [] : ['big'])))

const figures = runs => {
  const [middle] = [...runs].sort((a, b) => a.ms - b.ms).slice(Math.floor(runs.length / 2))
  return { ...middle, requests: requestsIn(middle).length }
}

function write(results) {
  const rows = results.flatMap(({ size, joins, unjoins, looks }) =>
    Object.entries({ join: joins, ...looks, unjoin: unjoins }).map(([verb, runs]) => {
      const { ms, mb, cpu, requests } = figures(runs)
      return [`\`${verb}\``, size, round(ms), round(cpu, 2), requests, round(mb)]
    }),
  )
  const [one, , hundred] = results
  const ratio = median(hundred.joins.map(r => r.ms)) / median(one.joins.map(r => r.ms))
  const show = figures(hundred.looks.show)
  const budgets = [
    ['joining 100 members against joining 1', 'at most 10 times', `${round(ratio, 1)} times`, ratio <= 10],
    ['memory of `show` with 100 members', 'under 150 MB', `${round(show.mb)} MB`, show.mb < 150],
    ['its requests', 'at most 5', `${show.requests}`, show.requests <= 5],
  ]
  const each = (hundred.state.members - one.state.members) / 99
  const text = `Rounds: ${rounds}; medians. The clusters are simulated, in a process of their own, and answer
20 ms late. They share the machine's cores with coe, so the processors limit a hundred joins at once. CPU is what
coe itself used.

${budgetTable(budgets)}

${table(['command', 'members', 'ms', 'CPU s', 'requests', 'MB'], rows)}

Requests of a join grow by ${round((figures(hundred.joins).requests - figures(one.joins).requests) / 99, 1)} with each member; those of \`show\`, \`list\` and \`status\` do not grow. On the host, a
federation's record has ${round(one.state.record)} bytes with one member and ${round(hundred.state.record)} with a hundred (it keeps the last 20 changes), and each member adds a
ConfigMap with ${round(each)} bytes.`
  writeSection('members', 'A hundred members', text)
}
