/** The rights that records, locks and marks take, beside those of a driver; and which of all of them somebody lacks. */
import { settle } from '../../core/concurrency.ts'
import type { Finding } from '../../drivers/driver-api.ts'
import type { AccessQuestion, ClusterApi } from '../../kube/api/cluster-api.ts'
import { markerName, markerNamespace } from '../../kube/ownership/federation-marks.ts'
import { marksRoleName } from '../../kube/ownership/marks-access.ts'
import type { FederationRights, Right } from '../../model/rights.ts'

export function recordRights(namespace: string): FederationRights {
  const within = (right: Omit<Right, 'namespace'>): Right => ({ namespace, ...right })
  const lease = { group: 'coordination.k8s.io', resource: 'leases' }
  return {
    look: [
      within({ resource: 'configmaps', verbs: ['get', 'list'], why: 'the records of the federation and its members' }),
      within({ ...lease, verbs: ['get'], why: 'is somebody at work' }),
    ],
    manage: [
      within({ resource: 'configmaps', verbs: ['create', 'update', 'patch', 'delete'], why: 'records' }),
      within({ ...lease, verbs: ['get', 'create', 'update', 'delete'], why: 'the lock' }),
      within({ resource: 'events', verbs: ['create'], why: 'tells others what was done', optional: true }),
    ],
    own: [whichCluster, ...readerRights(marksRoleName(namespace), ['create', 'patch', 'delete'])],
  }
}

/** Lets a deletion of the cluster see the marks with a certificate that may do nothing else. */
const readerRights = (name: string, verbs: readonly string[]): Right[] =>
  ['clusterroles', 'clusterrolebindings'].map(resource => ({
    group: 'rbac.authorization.k8s.io',
    resource,
    verbs: [...verbs, ...(resource === 'clusterroles' ? ['escalate', 'bind'] : [])],
    names: [name],
    why: 'lets "coe cluster delete" read the marks as a user who may read nothing else',
    optional: true,
  }))

const whichCluster: Right = {
  resource: 'namespaces',
  verbs: ['get'],
  names: ['kube-system'],
  why: 'which cluster it is: that namespace has an identity that no name can change',
}

/** Of whoever makes the federation's namespace himself; one that was made for him is taken over with --adopt. */
export const namespaceRights: readonly Right[] = [
  {
    resource: 'namespaces',
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
    why: "the federation's own: made first, deleted last, and seen to be gone",
  },
]

/** In a namespace that was made for the federation. */
export const adoptedRights = (namespace: string): readonly Right[] => [
  {
    resource: 'namespaces',
    verbs: ['get', 'patch'],
    namespace,
    why: 'marks the namespace as its own, and gives it back',
  },
]

/** To find a federation of which only its name is known, in whatever namespace it is. */
export const findRights: readonly Right[] = [
  { resource: 'configmaps', verbs: ['list'], why: 'the records of all federations on the host' },
]

/** Of whoever lets a cluster join, beside the driver's. */
export const markRights: readonly Right[] = [
  whichCluster,
  ...readerRights(marksRoleName(), ['create', 'patch', 'delete']),
  {
    resource: 'configmaps',
    verbs: ['get', 'create', 'patch', 'delete'],
    names: [markerName],
    namespace: markerNamespace,
    why: 'a mark on the cluster, so that nobody deletes it unawares',
  },
]

const questionsOf = ({ group, resource: path, verbs, names = [''], namespace }: Right): AccessQuestion[] => {
  const [resource = path, subresource] = path.split('/')
  return names.flatMap(name =>
    verbs.map(verb => ({
      verb,
      resource,
      ...(group ? { group } : {}),
      ...(subresource ? { subresource } : {}),
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
    })),
  )
}

/** One request where somebody may do everything. */
export async function lackingRights(
  api: ClusterApi,
  rights: readonly Right[],
  where: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const needed = rights.filter(right => !right.optional)
  const questions = needed.map(questionsOf)
  const answers = await api.canI(questions.flat(), { signal })
  let at = 0
  const lacking = needed.flatMap((right, i) => {
    const asked = questions[i] as AccessQuestion[]
    const refused = asked.filter(() => answers[at++] === false).map(({ verb }) => verb)
    return refused.length ? [said(right, [...new Set(refused)])] : []
  })
  if (lacking.length === 0) return []
  const message = `you may not ${lacking.join(', nor ')} (on ${where})`
  const hint = 'docs/rbac.md lists what is needed, as roles to apply'
  return [{ id: 'rights', level: 'error', outcome: 'denied', message, hint }]
}

function said({ group, resource, names, namespace }: Right, verbs: readonly string[]): string {
  const what = group ? `${resource}.${group}` : resource
  const which = names ? ` ${names.join(', ')}` : ''
  return `${verbs.join('/')} ${what}${which}${namespace ? ` in namespace ${namespace}` : ''}`
}

/** Rights that are missing come first: what else fails may fail for want of them. */
export async function withRights(rights: Promise<Finding[]>, more: Promise<readonly Finding[]>): Promise<Finding[]> {
  const [lacking, rest] = await Promise.all([rights, settle(more)])
  if (rest.ok) return [...lacking, ...rest.value]
  if (lacking.length === 0) throw rest.error
  return lacking
}

export const ownRights = (namespace: string, engine: FederationRights | undefined): Right[] =>
  upTo('own', recordRights(namespace), ...(engine ? [engine] : []))

/** What a job takes is what is there for it, and for those before it. */
const upTo = (job: keyof FederationRights, ...parts: readonly FederationRights[]): Right[] => {
  const jobs = ['look', 'manage', 'own'] as const
  return jobs.slice(0, jobs.indexOf(job) + 1).flatMap(one => parts.flatMap(part => part[one]))
}
