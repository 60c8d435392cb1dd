/** The rights that records, locks and marks need, beside those of a driver, and the check which of them the user lacks. */
import { resultOf } from '../../core/concurrency.ts'
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
      within({ ...lease, verbs: ['get'], why: 'shows whether another run holds the lock' }),
    ],
    manage: [
      within({ resource: 'configmaps', verbs: ['create', 'update', 'patch', 'delete'], why: 'records' }),
      within({ ...lease, verbs: ['get', 'create', 'update', 'delete'], why: 'the lock' }),
      within({ resource: 'events', verbs: ['create'], why: 'reports each change as an Event', optional: true }),
    ],
    own: [whichCluster, ...readerRights(marksRoleName(namespace), ['create', 'patch', 'delete'])],
  }
}

/** For the role with which a deletion of the cluster reads the marks, and can do nothing else. */
const readerRights = (name: string, verbs: readonly string[]): Right[] =>
  ['clusterroles', 'clusterrolebindings'].map(resource => ({
    group: 'rbac.authorization.k8s.io',
    resource,
    verbs: [...verbs, ...(resource === 'clusterroles' ? ['escalate', 'bind'] : [])],
    names: [name],
    why: 'lets the group coe:marks read the marks when a cluster is deleted, and nothing else',
    optional: true,
  }))

const whichCluster: Right = {
  resource: 'namespaces',
  verbs: ['get'],
  names: ['kube-system'],
  why: 'identifies the cluster by the UID of this namespace, whatever its name',
}

/** For a user who creates the federation's namespace; one made beforehand is taken over with --adopt. */
export const namespaceRights: readonly Right[] = [
  {
    resource: 'namespaces',
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
    why: "the federation's own namespace: created first, deleted last, and checked to be gone",
  },
]

/** For a namespace that was made beforehand for the federation. */
export const adoptedRights = (namespace: string): readonly Right[] => [
  {
    resource: 'namespaces',
    verbs: ['get', 'patch'],
    namespace,
    why: "marks the namespace as the federation's, and removes the marks again",
  },
]

/** For finding a federation by its name alone, whatever its namespace. */
export const findRights: readonly Right[] = [
  { resource: 'configmaps', verbs: ['list'], why: 'the records of all federations on the host' },
]

/** For a user who lets a cluster join, beside the driver's rights. */
export const markRights: readonly Right[] = [
  whichCluster,
  ...readerRights(marksRoleName(), ['create', 'patch', 'delete']),
  {
    resource: 'configmaps',
    verbs: ['get', 'create', 'patch', 'delete'],
    names: [markerName],
    namespace: markerNamespace,
    why: 'marks the cluster as a member, so that nobody deletes it by mistake',
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

/** Sends one request when the user may do everything. */
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

/** Missing rights come first: they may be why other checks fail. */
export async function withRights(rights: Promise<Finding[]>, more: Promise<readonly Finding[]>): Promise<Finding[]> {
  const [lacking, rest] = await Promise.all([rights, resultOf(more)])
  if (rest.ok) return [...lacking, ...rest.value]
  if (lacking.length === 0) throw rest.error
  return lacking
}

export const ownRights = (namespace: string, engine: FederationRights | undefined): Right[] =>
  upTo('own', recordRights(namespace), ...(engine ? [engine] : []))

/** A job needs its own rights and those of the jobs before it. */
const upTo = (job: keyof FederationRights, ...parts: readonly FederationRights[]): Right[] => {
  const jobs = ['look', 'manage', 'own'] as const
  return jobs.slice(0, jobs.indexOf(job) + 1).flatMap(one => parts.flatMap(part => part[one]))
}
