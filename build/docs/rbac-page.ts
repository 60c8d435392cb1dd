/** Makes docs/rbac.md and its roles: the rights that coe needs, as tables and as YAML to apply. */
import { builtIn } from '../../src/drivers/built-in.ts'
import { yamlText } from '../../src/io/formats/yaml-out.ts'
import { markerNamespace } from '../../src/kube/ownership/federation-marks.ts'
import type { FederationRights, Right } from '../../src/model/rights.ts'
import {
  adoptedRights,
  findRights,
  markRights,
  namespaceRights,
  recordRights,
} from '../../src/standalone/records/rights.ts'
import { rbacProse as prose } from './rbac-prose.ts'

/** Placeholders in the roles for names that the reader fills in. */
const namespace = 'NAMESPACE'
const member = 'MEMBER'

export interface RoleSpec {
  name: string
  /** The only namespace where it applies; a ClusterRole when absent. */
  namespace?: string
  title: string
  rights: readonly Right[]
}

export interface RoleSpecs {
  host: readonly RoleSpec[]
  member: readonly RoleSpec[]
}

/** Roles for the default engine: the first driver that lists its rights. */
async function roleSpecs(): Promise<RoleSpecs> {
  const engine = await builtIn.find(driver => driver.rights)?.rights?.()
  if (!engine) throw new Error('no driver of federations lists its rights')
  const parts = [recordRights(namespace), engine.hostRights(namespace)]
  const of = (job: keyof FederationRights, place: (right: Right) => boolean) =>
    parts.flatMap(part => part[job]).filter(place)
  const onMember = [...markRights, ...engine.memberRights(member)]
  return {
    host: [
      { name: 'coe-look', title: 'show, status, members', rights: of('look', within) },
      { name: 'coe-manage', title: 'join, unjoin, update, kubeconfig; with coe-look', rights: of('manage', within) },
      {
        name: 'coe-own',
        title: 'create, delete; with coe-look and coe-manage',
        rights: [...of('own', within), ...adoptedRights(namespace)],
      },
      { name: 'coe-host', title: 'create: checks of the host', rights: of('own', wide) },
      { name: 'coe-namespaces', title: 'create, delete: the namespace', rights: namespaceRights },
      {
        name: 'coe-find',
        title: 'list, and to find a federation whose namespace has another name',
        rights: findRights,
      },
    ],
    member: [
      { name: 'coe-member', title: 'join, unjoin', rights: onMember.filter(right => !isMark(right)) },
      {
        name: 'coe-member',
        namespace: markerNamespace,
        title: 'join: the mark on the cluster',
        rights: onMember.filter(isMark),
      },
    ],
  }
}

const within = (right: Right) => right.namespace !== undefined
const wide = (right: Right) => right.namespace === undefined
const isMark = (right: Right) => right.namespace === markerNamespace

export async function rbacDocuments(): Promise<Map<string, string>> {
  const { host, member: onMember } = await roleSpecs()
  const section = (role: RoleSpec) =>
    `### ${role.namespace ? 'Role' : 'ClusterRole'} ${role.name}${role.namespace ? ` in ${role.namespace}` : ''}\n\nFor ${role.title}.\n\n${table(role.rights)}`
  const page = [
    '<!-- Made by "npm run docs" from the rights that the program asks for (src/standalone/records/rights.ts and the driver\'s); edit those. -->',
    prose.start,
    prose.host,
    ...host.map(section),
    prose.hostEnd,
    prose.member,
    ...onMember.map(section),
    prose.memberEnd,
  ]
  return new Map([
    ['docs/rbac.md', `${page.join('\n\n')}\n`],
    ['docs/rbac/host.yaml', manifest(host)],
    ['docs/rbac/member.yaml', manifest(onMember)],
  ])
}

const code = (text: string) => `\`${text}\``

function table(rights: readonly Right[]): string {
  const rows = rights.map(({ group, resource, verbs, names, why, optional, when }) =>
    [
      code(group ? `${resource}.${group}` : resource) + (names ? ` ${names.map(code).join(', ')}` : ''),
      verbs.join(', '),
      why + (when ? ` — for ${when} only` : '') + (optional ? ' — optional: coe works without it' : ''),
    ].join(' | '),
  )
  return ['| what | verbs | why |', '|---|---|---|', ...rows.map(row => `| ${row} |`)].join('\n')
}

const manifest = (roles: readonly RoleSpec[]): string => roles.map(role => yamlText(roleObject(role))).join('---\n')

const roleObject = ({ name, namespace: place, rights }: RoleSpec) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: place ? 'Role' : 'ClusterRole',
  metadata: { name, ...(place ? { namespace: place } : {}) },
  rules: rights.map(({ group = '', resource, verbs, names }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: [...verbs],
    ...(names ? { resourceNames: [...names] } : {}),
  })),
})
