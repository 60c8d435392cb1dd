/** `cluster list --watch`: a table that is drawn anew on a terminal, a line for each change everywhere else. */
import type { Context } from '../../cli/context.ts'
import { printResult } from '../../cli/print.ts'
import type { Result } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { patient } from '../../core/patience.ts'
import { poll } from '../../core/poll.ts'
import { formatDuration } from '../../core/time.ts'
import { sanitizeLine } from '../../io/sanitize.ts'
import type { Cluster } from '../../model/cluster.ts'
import { clusterListColumns } from './columns.ts'

/** Servers have other things to do. */
const leastMs = 1_000

export interface WatchOptions {
  /** Which columns it has. */
  shape: Pick<Result, 'long' | 'extraColumns' | 'tableColumns'>
  intervalMs: number
}

/** Ctrl-C ends it, a server that stays away, or a reader (`| head`) that has gone. */
export async function watchClusters(
  context: Context,
  look: () => Promise<Cluster[]>,
  { shape, intervalMs }: WatchOptions,
): Promise<undefined> {
  const { format } = context.chosen
  if (format !== undefined && format !== 'table' && format !== 'wide') {
    throw usage('--watch prints a table, or lines of its own', { hint: 'leave out -f' })
  }
  if (intervalMs < leastMs) throw usage('--interval: less than a second is too often')
  const show = context.streams.stdout.isTTY ? drawer(context, shape, intervalMs) : teller(context)
  const { clock } = context.world
  const round = async (): Promise<true | undefined> => {
    if (context.streams.stdout.closed) return true
    return show(await look())
  }
  await poll(patient(round, { clock, onTrouble: e => context.warn(e.message) }), {
    clock,
    signal: context.signal,
    intervalMs,
    maxIntervalMs: intervalMs,
    what: 'changes',
  })
  return undefined
}

function drawer(context: Context, shape: WatchOptions['shape'], intervalMs: number) {
  const { streams, style, world, chosen, warn } = context
  return async (rows: Cluster[]): Promise<undefined> => {
    let table = ''
    const { isTTY, columns } = streams.stdout
    const write = (text: string) => {
      table += text
    }
    const page = { isTTY, columns, write }
    const output = { kind: 'list', columns: clusterListColumns } as const
    await printResult(output, { rows, ...shape }, chosen, { stdout: page, colour: style.colour, env: world.env, warn })
    const time = new Date(world.clock.now()).toISOString().slice(11, 19)
    const title = style.dim(`${time} UTC, every ${formatDuration(intervalMs)}; Ctrl-C ends`)
    // in one piece, or it would flicker: to the corner, the new text, and nothing of the old below it
    streams.stdout.write(`\x1b[H\x1b[2J${title}\n${table}\x1b[J`)
  }
}

/** Name, status and health of each at first, then whatever becomes another. */
function teller({ streams, world }: Context) {
  let before: Map<string, Cluster> | undefined
  const tell = (cluster: Cluster, what: string) => {
    const time = new Date(world.clock.now()).toISOString()
    streams.stdout.write(`${sanitizeLine(`${time} ${cluster.name} ${what}`)}\n`)
  }
  return async (rows: Cluster[]): Promise<undefined> => {
    const now = new Map(rows.map(row => [row.uuid, row]))
    for (const cluster of rows) {
      const old = before?.get(cluster.uuid)
      if (!old) tell(cluster, `${before ? 'new: ' : ''}${state(cluster)}`)
      else if (state(old) !== state(cluster)) tell(cluster, `${state(old)} -> ${state(cluster)}`)
    }
    for (const [uuid, cluster] of before ?? []) if (!now.has(uuid)) tell(cluster, 'gone')
    before = now
  }
}

const state = ({ status, health_status, node_count }: Cluster): string =>
  [status, health_status, `${node_count ?? '?'} nodes`].filter(Boolean).join(', ')
