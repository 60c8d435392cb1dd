/** Chooses the plan of an unjoin: with the user's or the federation's access, with new keys, or without touching the member. */
import type { KubeAccess } from '../../../config/kubeconfig/kubeconfig.ts'
import { conflict } from '../../../core/errors.ts'
import type { InlineAccess } from '../../../kube/access/connect.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { Plan } from '../../../plan/step.ts'
import type { DriverApi, FederationSite, UnjoinRequest } from '../../driver-api.ts'
import type { KeySettings } from '../certificates/key-steps.ts'
import { acceptsFor, refusal } from '../certificates/key-trial.ts'
import { ownAccess } from '../join/member-access.ts'
import { roleRef } from '../templates/member.ts'
import { clusterRef } from '../templates/membership.ts'
import { silence, silentPlan, unjoinByForce, whereSilent } from './silent.ts'
import { unjoinPlan } from './unjoin.ts'
import type { MemberWay } from './withdraw.ts'

export async function leavingPlan(
  coe: DriverApi,
  site: FederationSite,
  request: UnjoinRequest,
  api: () => Promise<ClusterApi>,
): Promise<Plan> {
  const { name, force } = request
  if (force) {
    const why = await silence(api, coe.world.clock, site.signal)
    const leaving = { federation: site.name, name, owner: site.owner, api }
    if (why !== undefined) return silentPlan(leaving, why)
  }
  const federation = await api()
  const told = whereSilent({ federation: site.name, creation: site.creation, name })
  const own = force ? undefined : await ownKeys(coe, federation, name, site.signal).catch(told)
  const way = force ? undefined : wayTo(request, own)
  if (!force && !way) {
    throw conflict(`the federation has no keys to "${name}" any more, and no other access to it is known`, {
      hint: 'name its context with --cluster-context',
      next: [unjoinByForce('or keep everything that is on it', site.name, name)],
    })
  }
  return unjoinPlan({
    federation: site.name,
    creation: site.creation,
    name,
    // on a member that does not answer, nothing can be deleted
    keep: force || request.workloads === 'keep',
    keepNamespaces: request.keepNamespaces,
    force,
    api: async () => federation,
    memberTitle: `member "${name}"`,
    way,
    keys: own && (await newKeys(coe, site, request, federation, own)),
    clock: coe.world.clock,
    owner: site.owner,
  })
}

interface OwnKeys {
  access: InlineAccess
  api: ClusterApi
}

async function ownKeys(
  coe: DriverApi,
  federation: ClusterApi,
  name: string,
  signal: AbortSignal,
): Promise<OwnKeys | undefined> {
  const access = await ownAccess(federation, name, signal)
  if (access?.token) coe.addSecret(access.token)
  return access && { access, api: coe.connect(access, { title: `the API server of member "${name}"` }) }
}

/** The user's own access is preferred: it still works when the federation's account is gone. */
function wayTo({ member }: UnjoinRequest, own: OwnKeys | undefined): MemberWay | undefined {
  if (member) return { api: member, own: false, byFederation: async () => own?.api }
  return own && { api: own.api, own: true }
}

/**
 * Karmada cleans up the member with the keys that it has, and retries without end if the member refuses them. So the federation
 * gets new keys first, with the user's access; without that the unjoin does not start.
 */
async function newKeys(
  coe: DriverApi,
  site: FederationSite,
  { name, member, access }: UnjoinRequest,
  federation: ClusterApi,
  own: OwnKeys,
): Promise<KeySettings | undefined> {
  const why = await refusal(own.api, site.signal)
  // without the Cluster, Karmada has nothing to do on the member, and a deleted account must not come back
  if (why === undefined || !(await federation.exists(clusterRef(name), { signal: site.signal }))) return undefined
  // an earlier run has already deleted the account, which is the last step on the member
  if (member && !(await member.exists(roleRef(name), { signal: site.signal }))) return undefined
  const { server, insecure = false, proxyUrl } = own.access
  if (member && access) {
    return {
      membership: { name, server, insecure, proxyUrl },
      ca: caFor(access),
      accepts: acceptsFor(coe, { name, member, access, server }, site.signal),
      extraObjects: [],
      before: site,
      clock: coe.world.clock,
    }
  }
  throw conflict(`member "${name}" no longer accepts the keys of the federation: ${why}`, {
    hint: 'if its signing keys or its authority were replaced, name a context of it with --cluster-context',
    next: [unjoinByForce('if it was recreated or is gone, remove it', site.name, name)],
  })
}

const caFor = ({ insecure, ca }: KubeAccess): string | undefined => (insecure ? undefined : ca)
