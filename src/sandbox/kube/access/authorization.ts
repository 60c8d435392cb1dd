import type { ControlPlane } from '../control-plane.ts'
import { KubeFailure as Failure, forbidden, type KubeFailure } from '../failure.ts'
import type { Json, KubeObject } from '../object.ts'
import type { ResourceType } from '../resource-types.ts'
import type { User } from './tokens.ts'

const group = 'rbac.authorization.k8s.io'

export interface Rule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}

export interface ResourceAttributes {
  verb: string
  group: string
  /** With the subresource: `pods/status`. */
  resource: string
  namespace?: string | undefined
  name?: string | undefined
}

function isSubject(subject: Json, user: User, namespace: string | undefined): boolean {
  if (subject.kind === 'User') return subject.name === user.name
  if (subject.kind === 'Group') return user.groups.includes(subject.name)
  return user.name === `system:serviceaccount:${subject.namespace ?? namespace}:${subject.name}`
}

function rulesOfRole(plane: ControlPlane, roleRef: Json, namespace: string | undefined): Rule[] {
  const id = roleRef.kind === 'ClusterRole' ? `clusterroles.${group}` : `roles.${group}`
  const role = plane.store.get(id, roleRef.kind === 'ClusterRole' ? undefined : namespace, roleRef.name)
  return role?.rules ?? []
}

/** All rights of the user in the namespace, or at the cluster scope without one. */
export function rulesOf(plane: ControlPlane, user: User, namespace?: string): Rule[] {
  const rules: Rule[] = []
  const collect = (binding: KubeObject, scope: string | undefined) => {
    if (!(binding.subjects ?? []).some((subject: Json) => isSubject(subject, user, scope))) return
    rules.push(...rulesOfRole(plane, binding.roleRef, scope))
  }
  for (const binding of plane.store.list(`clusterrolebindings.${group}`)) collect(binding, undefined)
  if (namespace) for (const binding of plane.store.list(`rolebindings.${group}`, namespace)) collect(binding, namespace)
  return rules
}

const has = (list: string[] | undefined, value: string) => list?.some(item => item === '*' || item === value) ?? false

function coversResource(rule: Rule, wanted: ResourceAttributes): boolean {
  if (!has(rule.verbs, wanted.verb) || !has(rule.apiGroups, wanted.group)) return false
  const subresource = wanted.resource.split('/')[1]
  const resources = rule.resources ?? []
  if (!has(resources, wanted.resource) && !(subresource && resources.includes(`*/${subresource}`))) return false
  return !rule.resourceNames?.length || (wanted.name !== undefined && rule.resourceNames.includes(wanted.name))
}

const coversUrl = (rule: Rule, verb: string, path: string) =>
  has(rule.verbs, verb) &&
  (rule.nonResourceURLs ?? []).some(url => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))))

const isMaster = (user: User) => user.groups.includes('system:masters')

export function mayAccess(plane: ControlPlane, user: User, wanted: ResourceAttributes): boolean {
  return isMaster(user) || rulesOf(plane, user, wanted.namespace).some(rule => coversResource(rule, wanted))
}

export function mayVisit(plane: ControlPlane, user: User, verb: string, path: string): boolean {
  return isMaster(user) || rulesOf(plane, user).some(rule => coversUrl(rule, verb, path))
}

export function refusal(user: User, type: ResourceType, wanted: ResourceAttributes): KubeFailure {
  const where = wanted.namespace ? `in the namespace "${wanted.namespace}"` : 'at the cluster scope'
  const what = `resource "${wanted.resource}" in API group "${wanted.group}"`
  return forbidden(type, wanted.name ?? '', `User "${user.name}" cannot ${wanted.verb} ${what} ${where}`)
}

export const refusedPath = (user: User, verb: string, path: string): KubeFailure =>
  new Failure(403, 'Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"`, {})

/** The rights in `rules` that the user does not have, and may grant only with the right to escalate. */
function rightsNotHeld(plane: ControlPlane, user: User, rules: Rule[], namespace?: string): Rule[] {
  if (isMaster(user)) return []
  const held = rulesOf(plane, user, namespace)
  return rules.flatMap(rule => atoms(rule)).filter(atom => !held.some(owned => coversAtom(owned, atom)))
}

/** Splits a rule into rules of one verb and one resource each. */
function atoms(rule: Rule): Rule[] {
  return rule.verbs.flatMap(verb => [
    ...(rule.nonResourceURLs ?? []).map(url => ({ verbs: [verb], nonResourceURLs: [url] })),
    ...(rule.apiGroups ?? []).flatMap(apiGroup =>
      (rule.resources ?? []).flatMap(resource => {
        const atom = { verbs: [verb], apiGroups: [apiGroup], resources: [resource] }
        return rule.resourceNames?.length
          ? rule.resourceNames.map(name => ({ ...atom, resourceNames: [name] }))
          : [atom]
      }),
    ),
  ])
}

function coversAtom(held: Rule, atom: Rule): boolean {
  const verb = atom.verbs[0] as string
  if (atom.nonResourceURLs) return coversUrl(held, verb, atom.nonResourceURLs[0] as string)
  return coversResource(held, {
    verb,
    group: atom.apiGroups?.[0] as string,
    resource: atom.resources?.[0] as string,
    name: atom.resourceNames?.[0],
  })
}

const roleIds = [`roles.${group}`, `clusterroles.${group}`]
const bindingIds = [`rolebindings.${group}`, `clusterrolebindings.${group}`]

/** Refuses a role or binding that would grant more than the user's own rights. */
export function guardEscalation(plane: ControlPlane, user: User, type: ResourceType, object: KubeObject): void {
  const id = `${type.plural}.${type.group}`
  const { name, namespace } = object.metadata
  let rules: Rule[]
  if (roleIds.includes(id)) {
    if (mayAccess(plane, user, { verb: 'escalate', group, resource: type.plural, namespace, name })) return
    rules = object.rules ?? []
  } else if (bindingIds.includes(id)) {
    const { roleRef } = object
    const resource = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles'
    if (mayAccess(plane, user, { verb: 'bind', group, resource, namespace, name: roleRef.name })) return
    rules = rulesOfRole(plane, roleRef, namespace)
  } else return
  const missing = rightsNotHeld(plane, user, rules, namespace)
  if (missing.length === 0) return
  const groups = user.groups.map(g => JSON.stringify(g)).join(' ')
  const lines = missing.map(describeRule).join('\n')
  throw forbidden(
    type,
    name,
    `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${lines}`,
  )
}

/** Prints the rule like Go's struct, as in the messages of real servers. */
function describeRule(rule: Rule): string {
  const part = (key: string, list: string[] | undefined) =>
    list ? [`${key}:[${list.map(item => JSON.stringify(item)).join(' ')}]`] : []
  return `{${[
    ...part('APIGroups', rule.apiGroups),
    ...part('Resources', rule.resources),
    ...part('ResourceNames', rule.resourceNames),
    ...part('NonResourceURLs', rule.nonResourceURLs),
    ...part('Verbs', rule.verbs),
  ].join(', ')}}`
}
