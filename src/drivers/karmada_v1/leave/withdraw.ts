/** The last changes on the member: removes the federation's marks from what stays, and deletes what belongs to the federation. */
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
  /** Uses the federation's account on the member, which the last request deletes. */
  own: boolean
  /** The federation's access, for workloads that the user may not change; undefined if the federation has no keys. */
  byFederation?(): Promise<ClusterApi | undefined>
}

/** Controllers that lost their API server reconnect within a minute, but each kind of object is watched separately. */
const collectorMs = 240_000

/** Karmada removes its labels from objects that stay, but not this annotation. */
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
    // garbage collection would delete the binding with the role, too, but possibly minutes later
    if (!own) await tools.remove(bindingRef(member)).catch(unlessRefused)
    await tools.remove(roleRef(member))
    if (own) await untilRefused(member, api, clock, signal)
    else await waitGone(api, namespaceRef, { clock, signal, tell, timeoutMs: Math.min(collectorMs, limitMs), hint })
  } catch (error) {
    // once the account is deleted, it has no right to read anything
    if (!own || !isRefusal(error)) throw error
  }
}

const hint =
  "objects with a finalizer wait for the program that set it; the member's kube-controller-manager deletes the rest, up to some minutes late after an outage: run this again to check once more"

const managed = 'karmada.io/managed'

/** Deletes the roles that Karmada itself created. Karmada deletes them with the Cluster, but cannot if etcd has lost the Cluster. */
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

/** All objects of the federation on a member are owned by its one role, except the two that Karmada itself created. */
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

/** Users without that right leave it to the garbage collector. */
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
