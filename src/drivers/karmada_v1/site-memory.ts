/** For one run on one federation: its API is entered once and its members are listed once, however many clusters join. */
import type { ClusterApi, KnownKind } from '../../kube/api/cluster-api.ts'
import type { MemberHealth } from '../../model/federation-health.ts'
import type { FederationSite } from '../driver-api.ts'
import { listMembers } from './join/members.ts'
import { workKind } from './leave/works.ts'
import { clusterKind } from './templates/membership.ts'

/** Of this engine's release: its server need not be asked where it has them. */
const ownKinds: readonly KnownKind[] = [
  { ...clusterKind, plural: 'clusters', namespaced: false },
  { ...workKind, plural: 'works', namespaced: true },
]

export function knowing(api: ClusterApi): ClusterApi {
  api.learn(ownKinds)
  return api
}

export interface SiteMemory {
  api(site: FederationSite): Promise<ClusterApi>
  /** As they were when the run first asked. Its lock keeps other runs from changing them. */
  members(site: FederationSite): Promise<MemberHealth[]>
}

export function siteMemory(enter: (site: FederationSite) => Promise<ClusterApi>): SiteMemory {
  const api = once(async site => knowing(await enter(site)))
  return { api, members: once(async site => listMembers(await api(site), site.signal)) }
}

/** A failure is not remembered: the next one who asks may have more luck. */
function once<T>(ask: (site: FederationSite) => Promise<T>): (site: FederationSite) => Promise<T> {
  const asked = new WeakMap<FederationSite, Promise<T>>()
  return site => {
    const known = asked.get(site)
    if (known !== undefined) return known
    const answer = ask(site)
    asked.set(site, answer)
    answer.catch(() => asked.delete(site))
    return answer
  }
}
