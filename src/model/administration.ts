/** What administrators of a cloud use: quotas, services, statistics. */
import type { Call } from './call.ts'
import type { Cluster } from './cluster.ts'
import type { Operation, Page } from './operation.ts'

export interface Quota {
  id?: number
  project_id: string
  resource: string
  hard_limit: number
  created_at?: string | null
  updated_at?: string | null
  [field: string]: unknown
}

export interface Service {
  id: number
  host: string | null
  binary: string | null
  state: string | null
  disabled: boolean | null
  disabled_reason: string | null
  created_at: string | null
  updated_at: string | null
  [field: string]: unknown
}

export interface Stats {
  clusters: number
  nodes: number
}

export interface Certificate {
  cluster_uuid?: string
  pem: string
  csr?: string | null
  [field: string]: unknown
}

export interface Certificates {
  show(call: Call, cluster: string, caType?: string): Promise<Certificate>
  sign(call: Call, cluster: string, csr: string, caType?: string): Promise<Certificate>
  rotate(call: Call, cluster: string, op: Operation): Promise<Cluster | { uuid: string }>
}

export interface Credentials {
  rotate(call: Call, cluster: string, op: Operation): Promise<Cluster | { uuid: string }>
}

export interface Quotas {
  list(call: Call, query: Page & { allTenants?: boolean }): Promise<Quota[]>
  get(call: Call, project: string | undefined, resource: string): Promise<Quota>
  create(call: Call, project: string | undefined, resource: string, hardLimit: number): Promise<Quota>
  update(call: Call, project: string | undefined, resource: string, hardLimit: number): Promise<Quota>
  /** Resolves with the project that had the quota. */
  delete(call: Call, project: string | undefined, resource: string): Promise<string>
}
