/** The rights that this driver's actions need from the user. In the federation's own API the driver is administrator itself. */
import type { FederationRights, Right } from '../../model/rights.ts'
import { clusterNamespace } from './names.ts'
import type { EngineSettings } from './settings.ts'
import { roleName } from './templates/member.ts'

const made = ['get', 'list', 'create', 'patch', 'deletecollection']

/** @param settings of one federation; without them, the rights that any federation may need. */
export function hostRights(namespace: string, settings?: EngineSettings): FederationRights {
  const within = (right: Omit<Right, 'namespace'>): Right => ({ namespace, ...right })
  const workload = (resource: string, why: string) =>
    within({ group: 'apps', resource, verbs: [...made, 'watch'], why })
  const pvc = settings === undefined || settings.storage === 'pvc'
  const listsServices = settings === undefined || settings.expose === 'loadbalancer' || settings.apiPort !== undefined
  return {
    look: [
      within({ resource: 'secrets', verbs: ['get', 'list'], why: "access to the federation's API; certificates" }),
      within({ group: 'apps', resource: 'deployments', verbs: ['list'], why: 'the state of the components' }),
      within({ group: 'apps', resource: 'statefulsets', verbs: ['list'], why: 'the state of etcd' }),
      within({ resource: 'services', verbs: ['list'], why: 'shows whether one was deleted', optional: true }),
      {
        resource: 'nodes',
        verbs: ['list'],
        why: 'other addresses of the API, when the first does not answer',
        when: '--expose nodeport',
        optional: true,
      },
      ...explanations.map(within),
    ],
    manage: [
      within({
        group: 'apps',
        resource: 'deployments',
        verbs: ['get', 'patch'],
        names: ['karmada-controller-manager'],
        why: 'restarts it when a member joins again with new keys',
      }),
    ],
    own: [
      within({ resource: 'secrets', verbs: made, why: 'keys and certificates' }),
      within({ resource: 'services', verbs: made, why: "the components' addresses" }),
      workload('deployments', 'the components'),
      workload('statefulsets', 'etcd'),
      within({
        group: 'policy',
        resource: 'poddisruptionbudgets',
        verbs: made,
        why: 'makes a drain evict one replica at a time',
      }),
      within({ group: 'apps', resource: 'replicasets', verbs: ['list'], why: 'checks that nothing is left' }),
      within({ resource: 'pods', verbs: ['list', 'deletecollection'], why: 'waits until they have ended' }),
      within({ resource: 'persistentvolumeclaims', verbs: ['list', 'deletecollection'], why: 'the volumes of etcd' }),
      ...(settings === undefined || settings.networkPolicy !== undefined ? [within(policies)] : []),
      ...(settings === undefined || settings.priorityClass !== undefined ? [priorities] : []),
      within({
        resource: 'persistentvolumeclaims',
        verbs: ['get', 'watch', 'delete'],
        why: 'recreates claims that have no volume yet with another class or size',
        optional: true,
      }),
      within({
        group: 'apps',
        resource: 'statefulsets',
        verbs: ['delete'],
        why: 'recreates etcd with them',
        optional: true,
      }),
      { resource: 'nodes', verbs: ['list'], why: 'their number and addresses' },
      ...(pvc ? [storage] : []),
      ...(listsServices ? [balancers] : []),
    ],
  }
}

const policies: Omit<Right, 'namespace'> = {
  group: 'networking.k8s.io',
  resource: 'networkpolicies',
  verbs: [...made, 'watch', 'delete'],
  why: 'restrict who may call which component',
  when: '--network-policy',
}

const priorities: Right = {
  group: 'scheduling.k8s.io',
  resource: 'priorityclasses',
  verbs: ['get'],
  why: 'checks that the named class exists',
  when: '--priority-class',
}

const storage: Right = {
  group: 'storage.k8s.io',
  resource: 'storageclasses',
  verbs: ['list'],
  why: 'checks that one exists for the volumes of etcd',
  when: '--storage pvc (the default)',
}

const balancers: Right = {
  resource: 'services',
  verbs: ['list'],
  why: 'checks for a load balancer provider, and who uses the port',
  when: '--expose loadbalancer (the default), --api-port',
}

const explanations: Omit<Right, 'namespace'>[] = [
  { resource: 'pods', verbs: ['list'], why: 'the reason why a component is not ready', optional: true },
  { resource: 'persistentvolumeclaims', verbs: ['list'], why: 'the reason why a volume is missing', optional: true },
  { resource: 'pods/log', verbs: ['get'], why: 'the last log lines of a pod that crashes', optional: true },
  { resource: 'events', verbs: ['list'], why: 'the reason why a pod or a volume is not created', optional: true },
]

const rbac = 'rbac.authorization.k8s.io'

/** @param member its name in the federation */
export function memberRights(member: string): Right[] {
  const names = [roleName(member)]
  const within = (right: Omit<Right, 'namespace'>): Right => ({ namespace: clusterNamespace, ...right })
  return [
    {
      resource: 'namespaces',
      verbs: ['get', 'list', 'watch', 'create', 'patch'],
      names: [clusterNamespace],
      why: "the namespace of the federation's account: created, and checked to be gone",
    },
    within({ resource: 'serviceaccounts', verbs: ['get', 'create', 'patch'], why: "the federation's account" }),
    within({ resource: 'secrets', verbs: ['get', 'list', 'create', 'patch', 'delete'], why: 'its token' }),
    {
      group: rbac,
      resource: 'clusterroles',
      verbs: ['get', 'create', 'patch', 'delete', 'escalate', 'bind'],
      names,
      why: 'the role of that account, with all rights: "escalate" and "bind" let you grant rights that you do not have',
    },
    {
      group: rbac,
      resource: 'clusterrolebindings',
      verbs: ['get', 'create', 'patch', 'delete'],
      names,
      why: 'binds the role to the account',
    },
  ]
}
