// From settings to objects. The engine adds the labels that say which federation owns them.
import account from './templates/account.js'

/** @typedef {import('./coe.js').KubeObject} KubeObject */

/** On members: namespace, account and binding have one name. */
export const memberNamespace = 'roster'
export const memberLabel = 'roster/member'

const rbac = 'rbac.authorization.k8s.io/v1'

/** @param {KubeObject} object */
export const refOf = ({ apiVersion, kind, metadata }) => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  namespace: metadata.namespace,
})

/** @param {string} namespace */
export const readers = namespace => [
  account('reader', namespace),
  {
    apiVersion: rbac,
    kind: 'Role',
    metadata: { name: 'reader', namespace },
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }],
  },
  {
    apiVersion: rbac,
    kind: 'RoleBinding',
    metadata: { name: 'reader', namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
  },
]

/** @param {string} namespace */
export const readerToken = namespace => tokenOf('reader', namespace)

/**
 * @param {string} role
 * @returns {KubeObject}
 */
export const memberBinding = role => ({
  apiVersion: rbac,
  kind: 'ClusterRoleBinding',
  metadata: { name: memberNamespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', name: memberNamespace, namespace: memberNamespace }],
})

export const memberBindingRef = { apiVersion: rbac, kind: 'ClusterRoleBinding', name: memberNamespace }
export const memberNamespaceRef = { apiVersion: 'v1', kind: 'Namespace', name: memberNamespace }

/** @returns {KubeObject[]} */
export const memberAccount = () => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: memberNamespace } },
  account(memberNamespace, memberNamespace),
]

export const memberToken = () => tokenOf(memberNamespace, memberNamespace)

/**
 * @param {KubeObject} object
 * @param {string} uid
 * @returns {KubeObject}
 */
export const hangOn = (object, uid) => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [{ ...memberBindingRef, uid }] },
})

/**
 * @param {string} namespace
 * @param {string} name
 */
export const entryRef = (namespace, name) => ({ apiVersion: 'v1', kind: 'Secret', name: `member-${name}`, namespace })

/**
 * What is known of a member, and the keys to it.
 * @param {string} namespace
 * @param {import('./coe.js').JoinRequest} request
 * @param {any} keys
 * @returns {KubeObject}
 */
export const entry = (namespace, request, keys) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: `member-${request.name}`,
    namespace,
    labels: { ...request.labels, [memberLabel]: request.name },
    annotations: { 'roster/about': JSON.stringify(about(request)) },
  },
  // in a dry run the keys are unknown, and their name appears in the text
  data: { token: base64(keys.token), 'ca.crt': base64(keys.ca) },
})

/** @param {import('./coe.js').JoinRequest} request */
const about = ({ uid, server, access, region, zones, provider }) => ({
  uid,
  server: server ?? access.server,
  region: region ?? null,
  zones: zones ?? [],
  provider: provider ?? null,
})

/** @param {unknown} text */
const base64 = text => Buffer.from(`${text ?? ''}`).toString('base64')

/**
 * @param {string} name
 * @param {string} namespace
 * @returns {KubeObject}
 */
const tokenOf = (name, namespace) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/service-account-token',
  metadata: { name: `${name}-token`, namespace, annotations: { 'kubernetes.io/service-account.name': name } },
})
