/** Contexts for `coe doctor`: how each is reached, and what its server says. */

import { coeExtension, loadKubeconfig, resolveContext } from '../../config/kubeconfig/kubeconfig.ts'
import { awaitAll } from '../../core/concurrency.ts'
import { trustHint } from '../../kube/api/channel.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { ContextAnswers, ContextCheck } from '../../model/context-check.ts'
import type { Standalone } from '../deps.ts'
import { defaultNamespace } from '../records/names.ts'
import { lackingRights, markRights, namespaceRights, ownRights } from '../records/rights.ts'
import { lookInto } from '../references/look.ts'

export async function contextChecks(deps: Standalone, timeoutMs?: number): Promise<ContextCheck[]> {
  const config = await loadKubeconfig(deps.world)
  return [...config.contexts.values()].map(context => ({
    name: context.name,
    async connection() {
      const access = await resolveContext(deps.world, config, context.name)
      const { server, ca, tlsServerName: serverName, insecure, proxyUrl } = access
      return { server, ca, serverName, insecure, proxyUrl, trustHint: trustHint(access) }
    },
    async ask(signal) {
      const api = await lookInto(deps, context.name, timeoutMs)
      const isFederation = coeExtension(context)?.federation !== undefined
      const [{ gitVersion }, headers, user, may] = await awaitAll([
        api.version({ signal }),
        api.raw({ method: 'GET', path: '/version', signal }).then(response => response.headers),
        api.whoami({ signal }),
        isFederation ? undefined : rightsOn(deps, api, signal),
      ])
      return { version: gitVersion, date: headers.date, user: user?.username, may }
    },
  }))
}

/** As for a federation of which nothing is known yet. */
async function rightsOn(deps: Standalone, api: ClusterApi, signal: AbortSignal): Promise<ContextAnswers['may']> {
  const engine = await deps.drivers.federations(await deps.drivers.defaultFederations())
  const namespace = defaultNamespace('example')
  const asHost = [...namespaceRights, ...ownRights(namespace, engine.federations.rights?.(namespace))]
  const asMember = [...markRights, ...(engine.federations.memberRights?.('example') ?? [])]
  const [host, member] = await Promise.all(
    [asHost, asMember].map(rights => lackingRights(api, rights, api.name, signal)),
  )
  return { host: host?.length === 0, member: member?.length === 0 }
}
