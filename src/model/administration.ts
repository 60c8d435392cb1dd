/** What a cloud's administrators look at: quotas, services, counts. */

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
