/**
 * Other keys to a member than the federation had. The engine looks after the member with them at once, and its controllers
 * go on with the caches and clients that they made with the old ones: the member is Ready, and what they do there is refused.
 * So they are started anew. No other part of the control plane keeps a way to a member.
 */

import { decoded, type KubeObject, type ObjectRef } from '../../kube/object.ts'
import { judge } from '../../kube/readiness.ts'
import type { Step, Tools } from '../../plan/step.ts'
import { checksum } from './certificates.ts'
import type { ComponentName } from './names.ts'
import { type MemberKeys, renewedAnnotation, secretRefs } from './templates/membership.ts'

const controllers: ComponentName = 'karmada-controller-manager'

/** On the controllers' pods, so that it is known which keys they have started with, whoever was killed in between. */
const takenAnnotation = (member: string): string => `coe/keys-of-${member}`

/** Tells these keys from others, and is of no use to anybody else. Undefined where the federation has had no others. */
export async function renewed(name: string, keys: MemberKeys, look: Tools['look']): Promise<string | undefined> {
  const live = await look(secretRefs(name)[0] as ObjectRef)
  if (!live) return undefined
  const same = decoded(live, 'token') === keys.token && decoded(live, 'caBundle') === keys.ca
  return same ? live.metadata.annotations?.[renewedAnnotation] : checksum({ token: keys.token, ca: keys.ca })
}

/** @param on the key of the cluster that the control plane lives in, and its namespace there */
export function renewal(member: string, on: string, namespace: string): Step<{ renewed: string | undefined }> {
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: controllers, namespace }
  const annotation = takenAnnotation(member)
  const taken = (live: KubeObject) => live.spec?.template?.metadata?.annotations?.[annotation] as string | undefined
  return {
    id: 'renewal',
    title: 'controllers go by these keys',
    needs: ['credentials'],
    on,
    says: () => [`starts Deployment ${controllers} anew, if it has begun with other keys`],
    async stands({ renewed }, { api, signal }) {
      if (renewed === undefined) return {}
      const live = await api.get(ref, { signal })
      // not there: nothing has kept anything
      return !live || (taken(live) === renewed && judge(live).ready) ? {} : undefined
    },
    async act({ renewed }, { api, signal }) {
      const template = { metadata: { annotations: { [annotation]: renewed } } }
      await api.patch(ref, { spec: { template } }, { type: 'merge', signal })
      return undefined
    },
    async ready(_, { api, signal, tell }) {
      const live = await api.get(ref, { signal })
      const verdict = live && judge(live)
      if (!verdict || verdict.ready) return {}
      tell(`${controllers}: ${verdict.why}`)
      return undefined
    },
    timeoutMs: 180_000,
    hint: 'coe --standalone federation status tells how the components are; until the controllers have started anew they cannot work on the member',
  }
}
