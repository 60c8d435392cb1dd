import type { Issuer } from '../../../pki/certificates.ts'
import type { SandboxClock } from '../../clock.ts'
import type { Request } from '../../http.ts'
import type { Directory } from '../keystone/directory.ts'
import type { Token } from '../keystone/tokens.ts'
import { policyRefusal, refuse } from './refusals.ts'
import type { Cluster, Store } from './store.ts'
import type { Release } from './versions.ts'

/** How long things take, in milliseconds of sandbox time. */
export interface Timing {
  /** From the 202 until a cluster exists at all: its conductor makes the row. */
  clusterStore: number
  /** From the answer to a request until the conductor takes it up: a client may still see the old state meanwhile. */
  cast: number
  create: number
  update: number
  delete: number
  /** From the 202 until a federation of the working kind exists at all. */
  federationStore: number
  federation: number
}

export interface Cloud {
  images: Record<string, { os_distro?: string }>
  /** Names that two images have. */
  ambiguousImages: string[]
  flavors: string[]
  keypairs: string[]
  externalNetworks: string[]
  ambiguousExternalNetworks: string[]
  networks: string[]
  subnets: string[]
}

/** The Kubernetes behind Magnum's clusters, if there is any. */
export interface ApiServers {
  /** Asked when a cluster is made: where its API is. `authority` is the CA that Magnum signs with. */
  start(cluster: Cluster, authority: () => Promise<Issuer>): string | Promise<string>
  stop?(cluster: Cluster): void
}

export interface MagnumState {
  release: Release
  store: Store
  clock: SandboxClock
  timing: Timing
  directory: Directory
  cloud: Cloud
  /** Most rows in one page, whatever `limit` says. */
  maxLimit: number
  defaultQuota: number
  federation: 'facade' | 'working'
  /** Drivers other than Heat's refuse to rotate CAs, after having replaced what is stored. */
  caRotate: 'works' | 'unsupported'
  /** Real time: certificates must hold for clients, who do not live in the sandbox's. */
  wallNow: () => number
  apiServers: ApiServers
}

export interface Call {
  state: MagnumState
  request: Request
  token: Token
  /** The microversion's minor part. */
  minor: number
  /** Null for tokens that have no project. */
  projectId: string | null
  userId: string
  isAdmin: boolean
}

export const has = (call: Call, role: string): boolean => call.token.roles.some(held => held.name === role)

/**
 * The rule of a request, by what it does. Before release 17 anybody in the project might do anything, readers too; since
 * then reading takes a reader and changing a member.
 */
export function allow(call: Call, rule: string, needs: 'reader' | 'member' | 'admin'): void {
  if (call.isAdmin) return
  if (needs === 'admin') throw policyRefusal(rule)
  if (call.state.release.number >= 17 && !has(call, needs)) throw policyRefusal(rule)
}

export const uuidPattern = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i

interface Noun {
  one: string
  many: string
  /** "Please use the X uuid instead." */
  short: string
}

export const nouns = {
  cluster: { one: 'Cluster', many: 'clusters', short: 'cluster' },
  template: { one: 'ClusterTemplate', many: 'ClusterTemplates', short: 'ClusterTemplate' },
  federation: { one: 'Federation', many: 'federations', short: 'federation' },
} satisfies Record<string, Noun>

/** By uuid when it looks like one, else by name; among the rows that the caller may see. */
export function find<T extends { uuid: string; name: string }>(
  ident: string,
  rows: Map<string, T>,
  visible: (row: T) => boolean,
  noun: Noun,
  status = 404,
): T {
  const missing = () => refuse(status, `${noun.one} ${ident} could not be found.`)
  if (uuidPattern.test(ident)) {
    const row = rows.get(ident)
    if (!row || !visible(row)) throw missing()
    return row
  }
  const named: T[] = []
  for (const row of rows.values()) if (row.name === ident && visible(row)) named.push(row)
  if (named.length > 1) {
    throw refuse(409, `Multiple ${noun.many} exist with same name. Please use the ${noun.short} uuid instead.`)
  }
  const [row] = named
  if (!row) throw missing()
  return row
}

/** Admins see all projects' clusters when reading, changing and deleting; in all else only their own project's. */
export function findCluster(call: Call, ident: string, reach: 'all' | 'own' = 'own', status = 404): Cluster {
  const everything = reach === 'all' && call.isAdmin
  return find(
    ident,
    call.state.store.clusters,
    row => everything || row.project_id === call.projectId,
    nouns.cluster,
    status,
  )
}
