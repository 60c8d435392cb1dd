/** Which plan takes a member out: by whose access, with keys that work, or with nothing on the member touched. */
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
    throw conflict(`the federation has no keys of "${name}" any more, and no other way to it is known`, {
      hint: 'name its context with --cluster-context',
      next: [unjoinByForce('or leave what is on it', site.name, name)],
    })
  }
  return unjoinPlan({
    federation: site.name,
    creation: site.creation,
    name,
    // what does not answer can only be left as it is
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

/** The user's own access is better: it can look again when the federation's account is gone. */
function wayTo({ member }: UnjoinRequest, own: OwnKeys | undefined): MemberWay | undefined {
  if (member) return { api: member, own: false, byFederation: async () => own?.api }
  return own && { api: own.api, own: true }
}

/**
 * The engine takes its things off the member with the keys that it has. Where the member refuses those it would try until
 * somebody gives up: so it gets new ones first, by the access of the user, and without that nothing is begun.
 */
async function newKeys(
  coe: DriverApi,
  site: FederationSite,
  { name, member, access }: UnjoinRequest,
  federation: ClusterApi,
  own: OwnKeys,
): Promise<KeySettings | undefined> {
  const why = await refusal(own.api, site.signal)
  // without its Cluster the engine has nothing to do there any more, and an account that is gone must stay gone
  if (why === undefined || !(await federation.exists(clusterRef(name), { signal: site.signal }))) return undefined
  // a run before this one took the account off the member, which it does when nobody needs it any more
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
  throw conflict(`the member "${name}" does not take the keys of the federation any more: ${why}`, {
    hint: 'if its keys or its authority were replaced: name a context that leads to it with --cluster-context',
    next: [unjoinByForce('if it was made anew, or is gone: take it out, and then join it again', site.name, name)],
  })
}

const caFor = ({ insecure, ca }: KubeAccess): string | undefined => (insecure ? undefined : ca)
