/** On the member, at the end: what stays is set free, and what the federation had there goes. */
import { mapLimit } from '../../../core/concurrency.ts'
import { CoeError } from '../../../core/errors.ts'
import { type KubectlStep, kubectlStep } from '../../../core/next-step.ts'
import { poll } from '../../../core/poll.ts'
import type { Clock } from '../../../core/world.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { type ObjectRef, refText } from '../../../kube/api/object.ts'
import { waitGone } from '../../../kube/waiting/wait.ts'
import type { Tools } from '../../../plan/step.ts'
import { clusterNamespace } from '../names.ts'
import { bindingRef, impersonator, role, roleRef } from '../templates/member.ts'
import { patchIfThere } from './works.ts'

export interface MemberWay {
  api: ClusterApi
  /** By the account that is to go: it ends with the last request that it makes. */
  own: boolean
  /** By that account, for what the person may not do on workloads; undefined when the federation has no keys any more. */
  byFederation?(): Promise<ClusterApi | undefined>
}

/** Controllers that have lost their server look for it at most each minute, and each kind of object is watched by itself. */
const collectorMs = 240_000

/** The engine takes its labels off what it leaves, and forgets this. */
const forgotten = { metadata: { annotations: { 'work.karmada.io/conflict-resolution': null } } }

export async function keepThere(kept: readonly ObjectRef[], way: MemberWay, { api, signal, tell }: Tools) {
  let other: Promise<ClusterApi | undefined> | undefined
  const forget = async (ref: ObjectRef) => {
    try {
      return await patchIfThere(api, ref, forgotten, signal)
    } catch (error) {
      if (!isRefusal(error)) throw error
      other ??= way.byFederation?.()
      const account = await other
      if (!account) throw error
      return patchIfThere(account, ref, forgotten, signal)
    }
  }
  await mapLimit(kept, 8, async ref => {
    if (!(await forget(ref))) tell(`${refText(ref)} is not on the member`)
  })
}

export async function withdraw(
  member: string,
  { own }: MemberWay,
  fenced: boolean,
  clock: Clock,
  tools: Tools,
): Promise<void> {
  const { api, signal, tell, limitMs } = tools
  try {
    if (own && fenced && (await api.exists(roleRef(member), { signal }))) await tools.apply(role(member, false))
    // it would go with the role as well, but some time later: a member's garbage collector may lag behind by minutes
    if (!own) await tools.remove(bindingRef(member)).catch(unlessRefused)
    await tools.remove(roleRef(member))
    if (own) await untilRefused(member, api, clock, signal)
    else await waitGone(api, namespaceRef, { clock, signal, tell, timeoutMs: Math.min(collectorMs, limitMs), hint })
  } catch (error) {
    // what takes the account away takes the right to ask about it
    if (!own || !isRefusal(error)) throw error
  }
}

const hint =
  "what a finalizer holds, whoever put it there must let go; the rest is deleted by the member's kube-controller-manager, after an outage some minutes late: run this again to look once more"

const managed = 'karmada.io/managed'

/** The engine takes its own two away with the Cluster. Where it has lost that (a store that is gone), nobody else would. */
export async function dropRoles({ api, signal, tell }: Tools): Promise<void> {
  for (const kind of ['ClusterRoleBinding', 'ClusterRole']) {
    const ref: ObjectRef = { apiVersion: roleRef('').apiVersion, kind, name: impersonator }
    try {
      const live = await api.get(ref, { signal })
      if (live?.metadata.labels?.[managed] !== 'true') continue
      tell(`deleting ${refText(ref)}`)
      await api.delete(ref, { signal, uid: live.metadata.uid })
    } catch (error) {
      if (!isRefusal(error)) throw error
      tell(`${refText(ref)} may be left: ${(error as Error).message}`)
    }
  }
}

/** All that the federation had there for itself hangs on the one role; Karmada's own two do not. */
export function leftOnMember(member: string, context: string): { what: string; next: KubectlStep }[] {
  const both = 'clusterrole,clusterrolebinding'
  const marked = [{ option: 'all-namespaces' }, { option: 'selector', value: `${managed}=true` }]
  const shown = ['all,configmaps,secrets', ...marked]
  return [
    {
      what: `the federation's account: namespace ${clusterNamespace}, its roles and tokens`,
      next: kubectlStep('clean up', 'delete', [both, roleRef(member).name], { context }),
    },
    {
      what: 'the roles by which users acted on it through the federation',
      next: kubectlStep('clean up', 'delete', [both, impersonator], { context }),
    },
    {
      what: 'workloads, which stay and are marked as managed',
      next: kubectlStep('inspect', 'get', shown, { context }),
    },
  ]
}

const namespaceRef: ObjectRef = { apiVersion: 'v1', kind: 'Namespace', name: clusterNamespace }

/** Who may not is left to the collector. */
const unlessRefused = (error: unknown): void => {
  if (!isRefusal(error)) throw error
}

const isRefusal = (error: unknown): boolean => error instanceof CoeError && error.outcome === 'denied'

async function untilRefused(member: string, api: ClusterApi, clock: Clock, signal: AbortSignal): Promise<void> {
  const look = async () => {
    try {
      return (await api.exists(namespaceRef, { signal })) ? undefined : true
    } catch (error) {
      if (isRefusal(error)) return true
      throw error
    }
  }
  await poll(look, { clock, signal, intervalMs: 300, timeoutMs: 30_000, what: `the account ${member} to be refused` })
}
