import type { Issuer } from '../../../pki/certificates.ts'
import type { SandboxClock } from '../../clock.ts'
import type { Request } from '../../http.ts'
import type { Directory } from '../keystone/directory.ts'
import type { Token } from '../keystone/tokens.ts'
import { policyRefusal, refuse } from './refusals.ts'
import type { Cluster, Store } from './store.ts'
import type { Release } from './versions.ts'

/** Durations in milliseconds of sandbox time. */
export interface Timing {
  /** From the 202 until the cluster exists, because the conductor makes the row. */
  clusterStore: number
  /** From the answer to a request until the conductor handles it: clients see the old state meanwhile. */
  cast: number
  create: number
  update: number
  delete: number
  /** From the 202 until a federation of the working kind exists. */
  federationStore: number
  federation: number
}

export interface Cloud {
  images: Record<string, { os_distro?: string }>
  /** Names that two images share. */
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
  /** Returns the address of a new cluster's API. `authority` is the CA that Magnum signs with. */
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
  /** The maximum of rows per page, whatever `limit` says. */
  maxLimit: number
  defaultQuota: number
  federation: 'facade' | 'working'
  /** Drivers other than Heat's refuse to rotate CAs, after the stored ones have been replaced. */
  caRotate: 'works' | 'unsupported'
  /** Real time, because certificates must be valid for clients outside the sandbox's time. */
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
 * Checks the policy rule of a request. Before release 17 every user of the project could do anything; since then
 * reading requires the role reader, and changing requires member.
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

/** Finds by uuid if it looks like one, else by name, among the rows that the caller may see. */
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

/** Admins can read, change and delete clusters of all projects; all other requests are limited to their own project. */
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
