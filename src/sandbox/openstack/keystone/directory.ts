import { randomUUID } from 'node:crypto'

/** The directory: domains, projects, users, their role assignments, and their delegations. */

export interface Domain {
  id: string
  name: string
}
export interface Project {
  id: string
  name: string
  domain: Domain
}
export interface User {
  id: string
  name: string
  domain: Domain
  password: string
  defaultProject: Project | undefined
}
export interface Role {
  id: string
  name: RoleName
}
export type RoleName = 'admin' | 'member' | 'reader'

export interface ApplicationCredential {
  id: string
  name: string
  secret: string
  user: User
  project: Project
  roles: RoleName[]
  restricted: boolean
}
export interface Trust {
  id: string
  trustor: User
  trustee: User
  project: Project
  roles: RoleName[]
}

export interface Directory {
  domains: Domain[]
  projects: Project[]
  users: User[]
  roles: Record<RoleName, Role>
  applicationCredentials: ApplicationCredential[]
  trusts: Trust[]
  /** Also grants implied roles: `member` includes `reader`. */
  grant(user: User, role: RoleName, where: Project | Domain | 'system'): void
  rolesOf(user: User, where: Project | Domain | 'system'): Role[]
  projectsOf(user: User): Project[]
  addProject(name: string): Project
  addUser(name: string, password: string, defaultProject?: Project): User
}

/** Keystone's ids: 32 hex digits, no dashes. */
export const newId = (): string => randomUUID().replaceAll('-', '')

const implied: Record<RoleName, RoleName[]> = {
  admin: ['admin', 'member', 'reader'],
  member: ['member', 'reader'],
  reader: ['reader'],
}

export function createDirectory(): Directory {
  const standard: Domain = { id: 'default', name: 'Default' }
  const roles = {
    admin: { id: newId(), name: 'admin' },
    member: { id: newId(), name: 'member' },
    reader: { id: newId(), name: 'reader' },
  } as const
  const grants = new Map<string, Set<RoleName>>()
  const key = (user: User, where: Project | Domain | 'system') => `${user.id} ${where === 'system' ? where : where.id}`
  const directory: Directory = {
    domains: [standard],
    projects: [],
    users: [],
    roles,
    applicationCredentials: [],
    trusts: [],
    grant(user, role, where) {
      const held = grants.get(key(user, where)) ?? new Set()
      for (const name of implied[role]) held.add(name)
      grants.set(key(user, where), held)
    },
    rolesOf: (user, where) => [...(grants.get(key(user, where)) ?? [])].map(name => roles[name]),
    projectsOf: user => directory.projects.filter(project => grants.has(key(user, project))),
    addProject(name) {
      const project = { id: newId(), name, domain: standard }
      directory.projects.push(project)
      return project
    },
    addUser(name, password, defaultProject) {
      const user = { id: newId(), name, domain: standard, password, defaultProject }
      directory.users.push(user)
      return user
    },
  }
  return directory
}

/** Finds by id, or by name in a domain given by id or name. Undefined if nothing matches. */
export function findNamed<T extends { id: string; name: string; domain: Domain }>(
  list: readonly T[],
  wanted: { id?: unknown; name?: unknown; domain?: { id?: unknown; name?: unknown } },
): T | undefined {
  if (wanted.id !== undefined) return list.find(item => item.id === wanted.id)
  const { domain } = wanted
  return list.find(
    item =>
      item.name === wanted.name &&
      (domain?.id !== undefined ? item.domain.id === domain.id : item.domain.name === domain?.name),
  )
}
