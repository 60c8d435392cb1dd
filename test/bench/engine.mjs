// Federations beside the engine's own tool, on real clusters: the contexts host, c2 and c3 of KUBECONFIG. The engine's images
// must be on the nodes, and its definitions in the folder that COE_ASSETS names.
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { base, coe, home, median, must, requestsIn, round, run, which } from './measure.mjs'
import { budgetTable, table, writeSection } from './page.mjs'
import { countOf } from './purpose.mjs'

const rounds = Number(process.env.COE_BENCH_ENGINE_ROUNDS ?? 1)
const name = process.env.COE_BENCH_FEDERATION ?? 'bench'
const { KUBECONFIG: kubeconfig, COE_ASSETS: assets, KLAB_STATE: labState } = process.env

export function possible() {
  if (!kubeconfig) return 'KUBECONFIG is not set'
  if (!which('karmadactl')) return 'karmadactl is not on PATH'
  if (!archive()) return 'COE_ASSETS names no folder with the definitions'
  const contexts = run(['kubectl', 'config', 'get-contexts', '-o', 'name']).out.split('\n')
  const missing = ['host', 'c2', 'c3'].filter(context => !contexts.includes(context))
  if (missing.length) return `KUBECONFIG has no context ${missing.join(', ')}`
  // what is somebody's stays: karmadactl would write over it, and its clean-up take it away
  const taken = [
    ['host', 'karmada-system'],
    ['c2', 'karmada-cluster'],
    ['c3', 'karmada-cluster'],
  ].find(([context, namespace]) => exists(context, namespace))
  return taken && `${taken[0]} has a namespace ${taken[1]}, so somebody uses it`
}

const exists = (context, namespace) => run(['kubectl', '--context', context, 'get', 'namespace', namespace]).code === 0

const archive = () => {
  const file = assets && readdirSync(assets).find(entry => /^karmada-crds-.*\.tar\.gz$/.test(entry))
  return file && join(assets, file)
}

/** Both run with what the lab's own script gives them: nothing of ours but the kubeconfig. */
const plain = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', no_proxy: '*', NO_PROXY: '*' }
const data = join(home, 'karmada')
const engineFile = join(data, 'karmada-apiserver.config')
const to = context => ['--cluster-kubeconfig', kubeconfig, '--cluster-context', context]
const peer = (...words) => must(['karmadactl', ...words, '-v=6'], { ...plain, KUBECONFIG: '' })
const peerAtHost = ['--kubeconfig', kubeconfig, '--context', 'host']
const peerSteps = {
  create: () => [
    peer('init', ...peerAtHost, '--crds', archive(), '--karmada-data', data, '--karmada-pki', join(data, 'pki')),
  ],
  join: () => ['c2', 'c3'].map(c => peer('--kubeconfig', engineFile, 'join', c, ...to(c))),
  unjoin: () => ['c2', 'c3'].map(c => peer('--kubeconfig', engineFile, 'unjoin', c, ...to(c))),
  delete: () => [peer('deinit', ...peerAtHost, '-f', '--purge-namespace')],
}

const ours = { ...base, ...plain, COE_CACHE_DIR: join(home, 'cache'), COE_ASSETS: assets }
const own = (...words) => must([...coe, '--standalone', 'federation', ...words, '--timing'], ours)
const ownSteps = {
  create: () => [own('create', name, '--host', 'host', '--expose', 'nodeport')],
  join: () => [own('join', name, 'c2', 'c3')],
  unjoin: () => [own('unjoin', name, 'c2', 'c3')],
  delete: () => [own('delete', name, '--yes')],
}

/** What deinit leaves: its namespace may hang, and the next init stumbles over the old data on the node. */
function tidy() {
  run(['kubectl', '--context', 'host', 'delete', 'namespace', 'karmada-system', '--ignore-not-found', '--timeout=120s'])
  rmSync(data, { recursive: true, force: true })
  if (!labState) return
  for (const node of readdirSync(join(labState, 'nodes')).filter(n => n.startsWith('host-'))) {
    rmSync(join(labState, 'nodes', node, 'lib/karmada-etcd'), { recursive: true, force: true })
  }
}

/** A line of -v=6 for each answer, in one of the spellings of client-go's releases. */
const peerRequests = ({ err, out }) =>
  `${err}${out}`
    .split('\n')
    .filter(l => /"Response" verb=|"HTTP Request"|(GET|POST|PUT|PATCH|DELETE) https:\/\/.* in \d+ milliseconds/.test(l))
    .length

/** Each step of one side, once: how long, how much memory at most, and what was asked. */
function walk(steps, requestsOf) {
  const walked = Object.entries(steps).map(([step, make]) => {
    const begun = process.hrtime.bigint()
    const runs = make()
    const seconds = Number(process.hrtime.bigint() - begun) / 1e9
    return [step, { seconds, mb: Math.max(...runs.map(r => r.mb)), requests: requestsOf(runs) }]
  })
  return Object.fromEntries(walked)
}

function walkOfPeer() {
  try {
    return walk(peerSteps, runs => ({ all: runs.reduce((sum, r) => sum + peerRequests(r), 0) }))
  } finally {
    tidy()
  }
}

export function measure() {
  // a copy: contexts come and go in it
  ours.KUBECONFIG = join(home, 'kubeconfig')
  copyFileSync(kubeconfig, ours.KUBECONFIG)
  const walks = Array.from({ length: rounds }, () => {
    const peers = walkOfPeer()
    return { peers, coes: walk(ownSteps, runs => countOf(runs.flatMap(requestsIn))) }
  })
  write(walks)
}

const titles = { create: 'create / init', join: 'join of two', unjoin: 'unjoin of two', delete: 'delete / deinit' }
const timeBudgets = { create: 0.35, join: 0.5, unjoin: 0.2 }

function write(walks) {
  const middle = (side, step, of) => median(walks.map(w => of(w[side][step])))
  const figures = Object.keys(titles).map(step => {
    const side = which => ({
      seconds: middle(which, step, r => r.seconds),
      mb: middle(which, step, r => r.mb),
      all: middle(which, step, r => r.requests.all),
      work: middle(which, step, r => r.requests.work),
      verification: middle(which, step, r => r.requests.verification),
    })
    return { step, theirs: side('peers'), mine: side('coes') }
  })
  const budgets = figures.flatMap(({ step, theirs, mine }) => {
    const ratio = mine.seconds / theirs.seconds
    const limit = timeBudgets[step]
    if (limit === undefined) return []
    return [
      [`time of ${titles[step]}`, `${limit} of karmadactl's`, round(ratio, 2), ratio <= limit],
      [
        `requests of ${titles[step]}, without verification`,
        `no more than karmadactl's ${theirs.all}`,
        `${mine.work}`,
        mine.work <= theirs.all,
      ],
    ]
  })
  const rows = figures.map(({ step, theirs, mine }) => [
    titles[step],
    round(theirs.seconds, 1),
    round(mine.seconds, 1),
    theirs.all,
    `${mine.all} (${mine.verification} of them verify)`,
    round(theirs.mb),
    round(mine.mb),
  ])
  const header = ['', 'karmadactl s', 'coe s', 'karmadactl requests', 'coe requests', 'karmadactl MB', 'coe MB']
  const text = `Real clusters, images present; rounds: ${rounds}. Both make a control plane on the
host and join two clusters to it. coe's commands end when they have verified the result; karmadactl's do not check. What counts as
verification is in test/bench/purpose.mjs: checks of rights, of who owns an object, and of the result until it is as requested.

${budgetTable(budgets)}

${table(header, rows)}`
  writeSection('engine', "Compared with the engine's own tool", text)
}
