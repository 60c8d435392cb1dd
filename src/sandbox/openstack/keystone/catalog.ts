import { newId } from './directory.ts'

export interface Endpoint {
  id: string
  interface: 'public' | 'internal' | 'admin'
  region_id: string
  url: string
  region: string
}

export interface CatalogEntry {
  endpoints: Endpoint[]
  id: string
  type: string
  name: string
}

export interface ServiceUrl {
  type: string
  name: string
  /** One address for all interfaces and regions, unless it is a function. */
  url: string | ((region: string, which: Endpoint['interface']) => string)
}

/** The service catalog: each service in each region, under three interfaces. */
export function buildCatalog(services: readonly ServiceUrl[], regions: readonly string[]): CatalogEntry[] {
  return services.map(({ type, name, url }) => ({
    endpoints: regions.flatMap(region =>
      (['public', 'internal', 'admin'] as const).map(which => ({
        id: newId(),
        interface: which,
        region_id: region,
        url: typeof url === 'string' ? url : url(region, which),
        region,
      })),
    ),
    id: newId(),
    type,
    name,
  }))
}
