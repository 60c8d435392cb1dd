/**
 * Other keys to a member than the federation had. The engine looks after the member with them at once, and its controllers
 * go on with the caches and clients that they made with the old ones: the member is Ready, and what they do there is refused.
 * So they are started anew. No other part of the control plane keeps a way to a member.
 */

import { standaloneStep } from '../../../core/next-step.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { decoded, type KubeObject, type ObjectRef } from '../../../kube/api/object.ts'
import { judge } from '../../../kube/waiting/readiness.ts'
import type { Step, Tools } from '../../../plan/step.ts'
import type { ComponentName } from '../names.ts'
import { clusterRef, type MemberKeys, renewedAnnotation, secretRefs } from '../templates/membership.ts'
import { checksum } from './certificates.ts'

const controllers: ComponentName = 'karmada-controller-manager'

/** On the controllers' pods, so that it is known which keys they have started with, whoever was killed in between. */
const takenAnnotation = (member: string): string => `coe/keys-of-${member}`

/** Tells these keys from others, and is of no use to anybody else. Undefined where the federation has had no others. */
export async function renewed(name: string, keys: MemberKeys, look: Tools['read']): Promise<string | undefined> {
  const live = await look(secretRefs(name)[0] as ObjectRef)
  if (!live) return undefined
  const same = decoded(live, 'token') === keys.token && decoded(live, 'caBundle') === keys.ca
  return same ? live.metadata.annotations?.[renewedAnnotation] : checksum({ token: keys.token, ca: keys.ca })
}

/** @param on the key of the cluster that the control plane lives in, and the federation in it */
export function renewal(
  member: string,
  on: string,
  { name: federation, namespace }: { name: string; namespace: string },
): Step<{ renewed: string | undefined }> {
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: controllers, namespace }
  const annotation = takenAnnotation(member)
  const taken = (live: KubeObject) => live.spec?.template?.metadata?.annotations?.[annotation] as string | undefined
  return {
    id: 'renewal',
    title: 'controllers use the new keys',
    needs: ['credentials'],
    on,
    describe: () => [`restarts Deployment ${controllers} if it started with other keys`],
    async alreadyDone({ renewed }, { api, cluster, signal }) {
      if (renewed === undefined) return {}
      const live = await api.get(ref, { signal })
      // not there: nothing has kept anything
      const began = !live || (taken(live) === renewed && judge(live).ready)
      return began && (await isSeenWith(renewed, member, await cluster('federation'), signal)) ? {} : undefined
    },
    async act({ renewed }, { api, signal }) {
      const template = { metadata: { annotations: { [annotation]: renewed } } }
      await api.patch(ref, { spec: { template } }, { type: 'merge', signal })
      return undefined
    },
    async ready({ renewed }, { api, cluster, signal, tell }) {
      const live = await api.get(ref, { signal })
      const verdict = live && judge(live)
      if (verdict && !verdict.ready) {
        tell(`${controllers}: ${verdict.why}`)
        return undefined
      }
      await lookAnew(renewed, member, await cluster('federation'), signal)
      return {}
    },
    timeoutMs: 180_000,
    hint: 'the controllers cannot work on the member until they have restarted',
    next: [standaloneStep('check the components', 'federation status', federation)],
  }
}

async function isSeenWith(renewed: string, member: string, api: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const live = await api.get(clusterRef(member), { signal })
  return !live || live.metadata.annotations?.[renewedAnnotation] === renewed
}

/**
 * The engine holds on to a Ready for half a minute after the member has begun to refuse it, and a Ready that goes on has no
 * new time. So what it has seen with the keys before is taken off, and what it sees next was seen with these.
 */
async function lookAnew(
  renewed: string | undefined,
  member: string,
  api: ClusterApi,
  signal: AbortSignal,
): Promise<void> {
  const ref = clusterRef(member)
  const live = renewed === undefined ? undefined : await api.get(ref, { signal })
  if (!live || live.metadata.annotations?.[renewedAnnotation] === renewed) return
  const conditions = ((live.status?.conditions ?? []) as { type: string }[]).filter(({ type }) => type !== 'Ready')
  await api.patch(ref, { status: { conditions } }, { type: 'merge', subresource: 'status', signal })
  const annotations = { [renewedAnnotation]: renewed }
  await api.patch(ref, { metadata: { annotations } }, { type: 'merge', signal })
}
