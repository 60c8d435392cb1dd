/** Connects to a federation's API. One on node ports answers at every node of its host, so other nodes are tried as well. */
import { resultOf } from '../../core/concurrency.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { isForbidden } from '../../kube/api/errors.ts'
import { as, type Node } from '../../kube/api/typed.ts'
import type { DriverApi, FederationSite } from '../driver-api.ts'
import { nodeAddresses, urlOf } from './create/address.ts'
import { readSettings } from './settings.ts'

export interface Connection {
  access: InlineAccess
  api: ClusterApi
}

interface Options {
  title: string
  timeoutMs?: number
}

/** The recorded address is tried alone for this time. */
const headStartMs = 1_500
const probeMs = 5_000

/** Connects through the first address that answers at all; through the recorded address if none does. */
export async function connectAnswering(
  coe: DriverApi,
  site: FederationSite,
  access: InlineAccess,
  options: Options,
): Promise<Connection> {
  const enter = (server: string): Connection => {
    const same = { ...access, server }
    return { access: same, api: coe.connect(same, options) }
  }
  const recorded = enter(access.server)
  if (readSettings(site.settings).expose !== 'nodeport') return recorded
  const over = new AbortController()
  const signal = AbortSignal.any([site.signal, over.signal])
  const answering = async (one: Connection): Promise<Connection> => {
    await one.api.raw({ method: 'GET', path: '/readyz', signal, timeoutMs: probeMs })
    return one
  }
  try {
    const first = answering(recorded)
    const early = await Promise.race([resultOf(first), coe.world.clock.sleep(headStartMs, signal)])
    if (early?.ok) return recorded
    const others = (await otherServers(site, access.server)).map(enter)
    return await Promise.any([first, ...others.map(answering)])
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
