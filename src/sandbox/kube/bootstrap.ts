import { type ControlPlane, now } from './control-plane.ts'
import type { Json } from './object.ts'
import { createObject } from './objects.ts'
import { apiVersionOf, idOf, type ResourceType } from './resource-types.ts'

const group = 'rbac.authorization.k8s.io'

/**
 * Makes the objects of every new API server, as far as coe or its users see them. Changes nothing in an etcd that has
 * data.
 */
export function bootstrap(plane: ControlPlane): void {
  const make = (id: string, name: string, body: Record<string, Json> = {}, namespace?: string) => {
    const type = plane.types.byId(id) as ResourceType
    if (plane.store.get(id, namespace, name)) return
    const labels = id.endsWith(group) ? { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } } : {}
    const metadata = { name, ...(namespace ? { namespace } : {}), ...labels }
    createObject(plane, type, { apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...body })
  }
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) make('namespaces', name)
  for (const [name, rules] of Object.entries(clusterRoles)) make(`clusterroles.${group}`, name, { rules })
  for (const [name, groups] of Object.entries(boundGroups)) {
    make(`clusterrolebindings.${group}`, name, {
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: groups.map(subject => ({
        apiGroup: group,
        kind: boundUsers.has(subject) ? 'User' : 'Group',
        name: subject,
      })),
    })
  }
  make(
    'services',
    'kubernetes',
    {
      spec: {
        clusterIP: `${plane.allocations.servicePrefix}.0.1`,
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      },
    },
    'default',
  )
  for (const type of plane.types.all()) {
    if (!plane.aggregated.has(`${type.group}/${type.version}`)) localApiService(plane, type, make)
  }
}

type Make = (id: string, name: string, body?: Record<string, Json>, namespace?: string) => void

function localApiService(plane: ControlPlane, type: ResourceType, make: Make): void {
  const id = 'apiservices.apiregistration.k8s.io'
  const name = `${type.version}.${type.group}`
  if (plane.store.get(id, undefined, name)) return
  const priorities = { groupPriorityMinimum: 17_000, versionPriority: 15 }
  make(id, name, { spec: { ...(type.group ? { group: type.group } : {}), version: type.version, ...priorities } })
  const stored = plane.store.get(id, undefined, name)
  if (!stored) return
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'Local',
    message: 'Local APIServices are always available',
    lastTransitionTime: now(plane),
  }
  plane.store.put(idOf({ group: 'apiregistration.k8s.io', plural: 'apiservices' }), {
    ...stored,
    status: { conditions: [condition] },
  })
}

const everything = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
]
const namespaced = [
  'configmaps',
  'endpoints',
  'events',
  'persistentvolumeclaims',
  'pods',
  'services',
  'serviceaccounts',
]
const apps = ['deployments', 'replicasets', 'statefulsets', 'daemonsets']
const reading = ['get', 'list', 'watch']
const writing = ['create', 'delete', 'deletecollection', 'patch', 'update', ...reading]

const clusterRoles: Record<string, Json[]> = {
  'cluster-admin': everything,
  admin: [
    { apiGroups: [''], resources: [...namespaced, 'secrets'], verbs: writing },
    { apiGroups: ['apps'], resources: apps, verbs: writing },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: writing },
    { apiGroups: [group], resources: ['roles', 'rolebindings'], verbs: writing },
  ],
  edit: [
    { apiGroups: [''], resources: [...namespaced, 'secrets'], verbs: writing },
    { apiGroups: ['apps'], resources: apps, verbs: writing },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: writing },
  ],
  view: [
    { apiGroups: [''], resources: [...namespaced, 'namespaces'], verbs: reading },
    { apiGroups: ['apps'], resources: apps, verbs: reading },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: reading },
  ],
  'system:node-bootstrapper': [
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests'],
      verbs: ['create', 'get', 'list', 'watch'],
    },
  ],
  // the real role is long; this one allows everything that controllers do
  'system:kube-controller-manager': [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
  ],
  'system:basic-user': [
    {
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      verbs: ['create'],
    },
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  ],
  'system:discovery': [
    {
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ],
      verbs: ['get'],
    },
  ],
  'system:public-info-viewer': [
    { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] },
  ],
}

const boundUsers = new Set(['system:kube-controller-manager'])
const boundGroups: Record<string, string[]> = {
  'system:kube-controller-manager': ['system:kube-controller-manager'],
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
}
