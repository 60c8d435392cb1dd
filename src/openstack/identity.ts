/** Who we are for a cloud: the token, what it is for, and the catalog that came with it. */

export interface CatalogEndpoint {
  interface: string
  region: string | null
  url: string
}

export interface CatalogService {
  type: string
  name: string
  endpoints: CatalogEndpoint[]
}

export interface Identity {
  token: string
  /** Undefined for tokens that were given to us: nobody told us. */
  expiresAt?: string
  /** By Keystone's clock. */
  issuedAt?: string
  project?: { id: string; name: string }
  user?: { id: string; name: string }
  roles: string[]
  catalog: CatalogService[]
}
