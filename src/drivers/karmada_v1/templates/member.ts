/** The federation's account on a member, and its tokens. One role owns all of it, so all of it is deleted with the role. */
import { conditionOf, type KubeObject, type ObjectRef } from '../../../kube/api/object.ts'
import { clusterNamespace } from '../names.ts'

export const accountName = (member: string): string => `karmada-${member}`
/** The account that Karmada uses for the requests of users through the federation; Karmada fixes its name. */
export const impersonator = 'karmada-impersonator'
export const roleName = (member: string): string => `karmada-controller-manager:${accountName(member)}`

const rbac = 'rbac.authorization.k8s.io/v1'

export const roleRef = (member: string): ObjectRef => ({
  apiVersion: rbac,
  kind: 'ClusterRole',
  name: roleName(member),
})

/** The binding of the role to the account, with the role's name. */
export const bindingRef = (member: string): ObjectRef => ({ ...roleRef(member), kind: 'ClusterRoleBinding' })

/** All rights: a federation places objects of any kind on members, roles included. */
const allRights = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['get'] },
]

/**
 * All rights except to delete. The roles of users may still be deleted, and to clean those up the controllers must be able to
 * write rights that they no longer have themselves.
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

/** Filled in by the member's token controller, which deletes Secrets without an account: so they are created after the accounts. */
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

/** The uids of accounts, by name. */
export type AccountUids = Readonly<Record<string, string | undefined>>

/** Here the controller records whose token it is. */
export const accountUidAnnotation = 'kubernetes.io/service-account.uid'

/** The object, owned by the role and deleted with it. */
export function ownedBy(object: KubeObject, member: string, uid: string): KubeObject {
  const owner = { apiVersion: rbac, kind: 'ClusterRole', name: roleName(member), uid: `${uid}` }
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }
}

/** Undefined when the condition says that all is well. */
export function notReady(cluster: KubeObject): string | undefined {
  const ready = conditionOf(cluster, 'Ready')
  if (ready?.status === 'True') return undefined
  if (!ready) return 'waiting for the first health check'
  const remedy = remedies[ready.reason ?? '']?.(String(cluster.spec?.apiEndpoint))
  return `${ready.reason ?? ready.status}: ${ready.message ?? 'not ready'}${remedy ? ` — ${remedy}` : ''}`
}

/** The condition never includes the underlying error: these are the usual causes. */
const remedies: Record<string, (server: string) => string> = {
  ClusterNotReachable: server =>
    `the host's pods must reach ${server} and trust its certificate; --cluster-server sets another address`,
  ClusterNotReady: server => `${server} answers, but reports that it is not healthy`,
  StatusCollectionFailed: () => 'the Secret with its credentials is missing or incomplete; join it again',
  ClusterStatusUnknown: () => 'no status for a while',
}

export const remedyFor = (cluster: KubeObject): string | undefined =>
  remedies[conditionOf(cluster, 'Ready')?.reason ?? '']?.(String(cluster.spec?.apiEndpoint))
