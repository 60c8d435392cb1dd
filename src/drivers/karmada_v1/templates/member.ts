/** On a member: an account of the federation's own, and the keys to it. All of it hangs on one role and goes with it. */
import { conditionOf, type KubeObject, type ObjectRef } from '../../../kube/api/object.ts'
import { clusterNamespace } from '../names.ts'

export const accountName = (member: string): string => `karmada-${member}`
/** The controllers look for this one by name: in whose name users act through the federation. */
export const impersonator = 'karmada-impersonator'
export const roleName = (member: string): string => `karmada-controller-manager:${accountName(member)}`

const rbac = 'rbac.authorization.k8s.io/v1'

export const roleRef = (member: string): ObjectRef => ({
  apiVersion: rbac,
  kind: 'ClusterRole',
  name: roleName(member),
})

/** Of the same name: it gives the role to the account. */
export const bindingRef = (member: string): ObjectRef => ({ ...roleRef(member), kind: 'ClusterRoleBinding' })

/** Workloads of any kind are put there, with roles and all: that takes all rights. */
const allRights = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['get'] },
]

/**
 * All but to delete. The roles by which users act through the federation may still go, and to clean those up the
 * controllers must be allowed to write rights that they do not have themselves any more.
 */
const fencedRights = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'] },
  {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['clusterroles', 'clusterrolebindings'],
    verbs: ['escalate', 'bind'],
  },
  {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['clusterroles', 'clusterrolebindings'],
    resourceNames: [impersonator],
    verbs: ['delete'],
  },
  { nonResourceURLs: ['*'], verbs: ['get'] },
]

export const role = (member: string, fenced: boolean): KubeObject => ({
  apiVersion: rbac,
  kind: 'ClusterRole',
  metadata: { name: roleName(member) },
  rules: fenced ? fencedRights : allRights,
})

/** @param roleUid of the role above: when it is deleted, the member's garbage collector takes these along. */
export function account(member: string, roleUid: string): KubeObject[] {
  return [
    ownedBy({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: clusterNamespace } }, member, roleUid),
    ...[accountName(member), impersonator].map(name => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace: clusterNamespace },
    })),
    ownedBy(binding(member), member, roleUid),
  ]
}

const binding = (member: string): KubeObject => ({
  apiVersion: rbac,
  kind: 'ClusterRoleBinding',
  metadata: { name: roleName(member) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName(member) },
  subjects: [{ kind: 'ServiceAccount', name: accountName(member), namespace: clusterNamespace }],
})

/** Filled by the member's token controller, which deletes those whose account is not there: so these come after. */
export const tokenSecrets = (member: string, uids: AccountUids = {}): KubeObject[] =>
  [accountName(member), impersonator].map(name => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: {
      name,
      namespace: clusterNamespace,
      annotations: {
        'kubernetes.io/service-account.name': name,
        ...(uids[name] ? { [accountUidAnnotation]: uids[name] } : {}),
      },
    },
  }))

/** Of accounts, by name. */
export type AccountUids = Readonly<Record<string, string | undefined>>

/** The controller notes here whose token it is. */
export const accountUidAnnotation = 'kubernetes.io/service-account.uid'

/** The object, made to go with the role. */
export function ownedBy(object: KubeObject, member: string, uid: string): KubeObject {
  const owner = { apiVersion: rbac, kind: 'ClusterRole', name: roleName(member), uid: `${uid}` }
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }
}

/** Undefined when the condition says that all is well. */
export function notReady(cluster: KubeObject): string | undefined {
  const ready = conditionOf(cluster, 'Ready')
  if (ready?.status === 'True') return undefined
  if (!ready) return 'the federation has not looked at it yet'
  const remedy = remedies[ready.reason ?? '']?.(String(cluster.spec?.apiEndpoint))
  return `${ready.reason ?? ready.status}: ${ready.message ?? 'not ready'}${remedy ? ` — ${remedy}` : ''}`
}

/** The condition never tells the error behind it: these are what it usually is. */
const remedies: Record<string, (server: string) => string> = {
  ClusterNotReachable: server =>
    `the host's pods must reach ${server} and trust its certificate; --cluster-server names another address`,
  ClusterNotReady: server => `${server} answers, and says that it is not healthy`,
  StatusCollectionFailed: () => 'the Secret with its credentials is missing or incomplete; join it again',
  ClusterStatusUnknown: () => 'nobody has heard of it for a while',
}

export const remedyFor = (cluster: KubeObject): string | undefined =>
  remedies[conditionOf(cluster, 'Ready')?.reason ?? '']?.(String(cluster.spec?.apiEndpoint))
