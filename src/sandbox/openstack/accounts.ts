import { createDirectory, type Directory, newId, type Project, type User } from './keystone/directory.ts'

/** The users of the simulated cloud, the same as in the lab. All have the same password. */
export interface Accounts {
  directory: Directory
  projects: { admin: Project; demo: Project; alt: Project }
  users: Record<'admin' | 'demo' | 'demo2' | 'alt' | 'reader' | 'norole', User>
  password: string
}

export function createAccounts(password: string): Accounts {
  const directory = createDirectory()
  const admin = directory.addProject('admin')
  const demo = directory.addProject('demo')
  const alt = directory.addProject('alt')
  const users = {
    admin: directory.addUser('admin', password, admin),
    demo: directory.addUser('demo', password, demo),
    demo2: directory.addUser('demo2', password, demo),
    alt: directory.addUser('alt', password, alt),
    reader: directory.addUser('reader', password, demo),
    norole: directory.addUser('norole', password),
  }
  directory.grant(users.admin, 'admin', admin)
  directory.grant(users.admin, 'admin', demo)
  directory.grant(users.admin, 'admin', 'system')
  directory.grant(users.demo, 'member', demo)
  directory.grant(users.demo, 'member', alt)
  directory.grant(users.demo2, 'member', demo)
  directory.grant(users.alt, 'member', alt)
  directory.grant(users.reader, 'reader', demo)
  const common = { user: users.demo, project: demo, roles: ['reader', 'member'] as ('reader' | 'member')[] }
  directory.applicationCredentials.push(
    { id: newId(), name: 'cli', secret: `${password}-cli`, restricted: true, ...common },
    { id: newId(), name: 'cli-unrestricted', secret: `${password}-cli-unrestricted`, restricted: false, ...common },
  )
  directory.trusts.push({ id: newId(), trustor: users.demo, trustee: users.alt, project: demo, roles: ['member'] })
  return { directory, projects: { admin, demo, alt }, users, password }
}
