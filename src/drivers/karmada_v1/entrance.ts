/** A federation on node ports answers at each node of its host. Where the recorded one is off, another is asked. */
import { resultOf } from '../../core/concurrency.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { isForbidden } from '../../kube/api/errors.ts'
import { as, type Node } from '../../kube/api/typed.ts'
import type { DriverApi, FederationSite } from '../driver-api.ts'
import { nodeAddresses, urlOf } from './create/address.ts'
import { readSettings } from './settings.ts'

export interface Entrance {
  access: InlineAccess
  api: ClusterApi
}

interface Options {
  title: string
  timeoutMs?: number
}

/** So long the recorded address is asked alone. */
const headStartMs = 1_500
const lookMs = 5_000

/** By the first address that answers, whatever it answers; by the recorded one when none does. */
export async function entrance(
  coe: DriverApi,
  site: FederationSite,
  access: InlineAccess,
  options: Options,
): Promise<Entrance> {
  const enter = (server: string): Entrance => {
    const way = { ...access, server }
    return { access: way, api: coe.connect(way, options) }
  }
  const recorded = enter(access.server)
  if (readSettings(site.settings).expose !== 'nodeport') return recorded
  const over = new AbortController()
  const signal = AbortSignal.any([site.signal, over.signal])
  const asked = async (one: Entrance): Promise<Entrance> => {
    await one.api.raw({ method: 'GET', path: '/readyz', signal, timeoutMs: lookMs })
    return one
  }
  try {
    const first = asked(recorded)
    const early = await Promise.race([resultOf(first), coe.world.clock.sleep(headStartMs, signal)])
    if (early?.ok) return recorded
    const others = (await otherServers(site, access.server)).map(enter)
    return await Promise.any([first, ...others.map(asked)])
  } catch (error) {
    site.signal.throwIfAborted()
    if (!(error instanceof AggregateError)) throw error
    return recorded
  } finally {
    over.abort(new Error('one has answered'))
  }
}

async function otherServers({ host, signal }: FederationSite, server: string): Promise<string[]> {
  try {
    const { items } = await host.list({ apiVersion: 'v1', kind: 'Node' }, { signal })
    const port = Number(new URL(server).port)
    const all = nodeAddresses(items.map(item => as<Node>(item))).map(address => urlOf({ address, port }))
    return all.filter(other => other !== server)
  } catch (error) {
    if (isForbidden(error)) return []
    throw error
  }
}
