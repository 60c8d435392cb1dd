/** The rights that this driver's actions take from the person at work. In the federation's own API it is administrator by itself. */
import type { FederationRights, Right } from '../../model/rights.ts'
import { clusterNamespace } from './names.ts'
import type { EngineSettings } from './settings.ts'
import { roleName } from './templates/member.ts'

const made = ['get', 'list', 'create', 'patch', 'deletecollection']

/** @param settings of one federation; without them all that any may need. */
export function hostRights(namespace: string, settings?: EngineSettings): FederationRights {
  const within = (right: Omit<Right, 'namespace'>): Right => ({ namespace, ...right })
  const workload = (resource: string, why: string) =>
    within({ group: 'apps', resource, verbs: [...made, 'watch'], why })
  const pvc = settings === undefined || settings.storage === 'pvc'
  const listsServices = settings === undefined || settings.expose === 'loadbalancer' || settings.apiPort !== undefined
  return {
    look: [
      within({ resource: 'secrets', verbs: ['get', 'list'], why: "the way into the federation's API; certificates" }),
      within({ group: 'apps', resource: 'deployments', verbs: ['list'], why: 'how the components are' }),
      within({ group: 'apps', resource: 'statefulsets', verbs: ['list'], why: 'how its store is' }),
      within({ resource: 'services', verbs: ['list'], why: 'whether one was deleted', optional: true }),
      {
        resource: 'nodes',
        verbs: ['list'],
        why: 'other addresses of the API, where the first does not answer',
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
        why: 'starts it anew when a member comes again with other keys',
      }),
    ],
    own: [
      within({ resource: 'secrets', verbs: made, why: 'keys and certificates' }),
      within({ resource: 'services', verbs: made, why: 'how the parts are reached' }),
      workload('deployments', 'the components'),
      workload('statefulsets', 'the store'),
      within({
        group: 'policy',
        resource: 'poddisruptionbudgets',
        verbs: made,
        why: 'so that a drain takes one replica at a time',
      }),
      within({ group: 'apps', resource: 'replicasets', verbs: ['list'], why: 'to see that nothing is left' }),
      within({ resource: 'pods', verbs: ['list', 'deletecollection'], why: 'to wait until they have ended' }),
      within({ resource: 'persistentvolumeclaims', verbs: ['list', 'deletecollection'], why: "the store's volumes" }),
      ...(settings === undefined || settings.networkPolicy !== undefined ? [within(policies)] : []),
      ...(settings === undefined || settings.priorityClass !== undefined ? [priorities] : []),
      within({
        resource: 'persistentvolumeclaims',
        verbs: ['get', 'watch', 'delete'],
        why: 'those that have no volume yet are made anew with another class or size',
        optional: true,
      }),
      within({
        group: 'apps',
        resource: 'statefulsets',
        verbs: ['delete'],
        why: 'and so is the store that they are for',
        optional: true,
      }),
      { resource: 'nodes', verbs: ['list'], why: 'are there enough, and at which addresses' },
      ...(pvc ? [storage] : []),
      ...(listsServices ? [balancers] : []),
    ],
  }
}

const policies: Omit<Right, 'namespace'> = {
  group: 'networking.k8s.io',
  resource: 'networkpolicies',
  verbs: [...made, 'watch', 'delete'],
  why: 'who may call which component',
  when: '--network-policy',
}

const priorities: Right = {
  group: 'scheduling.k8s.io',
  resource: 'priorityclasses',
  verbs: ['get'],
  why: 'is there the one that was named',
  when: '--priority-class',
}

const storage: Right = {
  group: 'storage.k8s.io',
  resource: 'storageclasses',
  verbs: ['list'],
  why: "is there one for the store's volumes",
  when: '--storage pvc (the default)',
}

const balancers: Right = {
  resource: 'services',
  verbs: ['list'],
  why: 'is there a provider of load balancers; whose is the port',
  when: '--expose loadbalancer (the default), --api-port',
}

const explanations: Omit<Right, 'namespace'>[] = [
  { resource: 'pods', verbs: ['list'], why: 'why a component is not ready', optional: true },
  { resource: 'persistentvolumeclaims', verbs: ['list'], why: 'what a volume waits for', optional: true },
  { resource: 'pods/log', verbs: ['get'], why: 'the last words of one that crashes', optional: true },
  { resource: 'events', verbs: ['list'], why: 'why no pod is made, or no volume', optional: true },
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
      why: "the one for the federation's account: made, and seen to be gone",
    },
    within({ resource: 'serviceaccounts', verbs: ['get', 'create', 'patch'], why: "the federation's account" }),
    within({ resource: 'secrets', verbs: ['get', 'list', 'create', 'patch', 'delete'], why: 'its token' }),
    {
      group: rbac,
      resource: 'clusterroles',
      verbs: ['get', 'create', 'patch', 'delete', 'escalate', 'bind'],
      names,
      why: 'the role of that account, which may do everything: "escalate" and "bind" let somebody give what he has not',
    },
    {
      group: rbac,
      resource: 'clusterrolebindings',
      verbs: ['get', 'create', 'patch', 'delete'],
      names,
      why: 'gives the role to the account',
    },
  ]
}
