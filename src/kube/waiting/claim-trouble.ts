/** Finds the first volume claim that a pod waits for, with the latest event about it. */
import { type Advice, kubectlStep } from '../../core/next-step.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { isForbidden } from '../api/errors.ts'
import { latestEvent } from '../api/events.ts'
import type { KubeObject } from '../api/object.ts'
import { as, type Pod } from '../api/typed.ts'

export const claimAdvice: Advice = {
  hint: 'is there a StorageClass, is one the default, and does its provisioner run?',
  next: [kubectlStep('list the storage classes', 'get storageclass')],
}

export async function pendingClaim(api: ClusterApi, pod: KubeObject, signal: AbortSignal): Promise<string | undefined> {
  const names = (as<Pod>(pod).spec?.volumes ?? []).flatMap(v => v.persistentVolumeClaim?.claimName ?? [])
  if (names.length === 0) return undefined
  const { namespace } = pod.metadata
  const kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }
  const claims = await api.list(kind, { namespace, signal }).catch(error => {
    if (isForbidden(error)) return undefined
    throw error
  })
  for (const name of names) {
    const claim = claims?.items.find(item => item.metadata.name === name)
    if (claims && (!claim || claim.status?.phase === 'Bound')) continue
    const event = await latestEvent(api, { ...kind, name, namespace }, signal)
    const why = event ? `: ${event.reason}: ${event.message}` : ''
    // without the right to list claims, only events show that one is pending
    if (!claim && !event) continue
    const of = claim?.spec?.storageClassName ? ` of StorageClass ${claim.spec.storageClassName}` : ''
    return `volume claim ${name}${of} is ${claim?.status?.phase ?? 'not bound'}${why}`
  }
  return undefined
}
