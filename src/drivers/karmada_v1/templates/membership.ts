/** In the federation's API: a member, and the way to it. */

import { base64, type KubeObject, type ObjectRef } from '../../../kube/api/object.ts'
import type { MemberSettings } from '../../../model/member-settings.ts'
import { clusterNamespace } from '../names.ts'

export const clusterKind = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' }
export const clusterRef = (name: string): ObjectRef => ({ ...clusterKind, name })

/** How the control plane gets to a member. */
export interface MemberAddress {
  name: string
  server: string
  insecure: boolean
  proxyUrl?: string | undefined
}

export interface Membership extends MemberAddress, Omit<MemberSettings, keyof MemberAddress> {
  uid: string
}

export interface MemberKeys {
  token: string
  impersonatorToken: string
  /** PEM. */
  ca: string
}

/** On the Secret, so that it alone is enough to get to the member when its Cluster is gone already. */
export const serverAnnotation = 'coe/server'
export const insecureAnnotation = 'coe/insecure'
export const proxyAnnotation = 'coe/proxy-url'
/** That these keys are not the first which the federation has: what it has begun with others must begin anew. */
export const renewedAnnotation = 'coe/keys-renewed'

export const secretRefs = (name: string): ObjectRef[] =>
  [name, `${name}-impersonator`].map(secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    name: secret,
    namespace: clusterNamespace,
  }))

export function memberSecrets(member: MemberAddress, keys: MemberKeys, renewed?: string): KubeObject[] {
  const secret = (name: string, data: Record<string, string>, annotations?: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name, namespace: clusterNamespace, ...(annotations ? { annotations } : {}) },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(`${text}`)])),
  })
  return [
    secret(
      member.name,
      { token: keys.token, caBundle: keys.ca },
      {
        [serverAnnotation]: member.server,
        ...(member.insecure ? { [insecureAnnotation]: 'true' } : {}),
        ...(member.proxyUrl ? { [proxyAnnotation]: member.proxyUrl } : {}),
        ...(renewed === undefined ? {} : { [renewedAnnotation]: `${renewed}` }),
      },
    ),
    secret(`${member.name}-impersonator`, { token: keys.impersonatorToken }),
  ]
}

export function cluster(member: Membership): KubeObject {
  const [own, ofImpersonator] = secretRefs(member.name)
  return {
    ...clusterKind,
    metadata: { name: member.name, labels: { ...member.labels } },
    spec: {
      id: member.uid,
      syncMode: 'Push',
      apiEndpoint: member.server,
      secretRef: { namespace: own?.namespace, name: own?.name },
      impersonatorSecretRef: { namespace: ofImpersonator?.namespace, name: ofImpersonator?.name },
      ...(member.insecure ? { insecureSkipTLSVerification: true } : {}),
      ...(member.proxyUrl ? { proxyURL: member.proxyUrl } : {}),
      ...(member.region ? { region: member.region } : {}),
      ...(member.zones?.length ? { zones: [...member.zones] } : {}),
      ...(member.provider ? { provider: member.provider } : {}),
    },
  }
}
