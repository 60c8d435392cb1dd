/** Finds the address of a service in the catalog that came with the token. */
import { type CoeError, failed } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import type { CatalogService } from './identity.ts'

/** The types under which clouds list Magnum. `container` is another service (Zun), although older clients use it. */
export const magnumTypes = [
  'container-infra',
  'container-infrastructure-management',
  'container-infrastructure',
] as const

export interface EndpointWish {
  types: readonly string[]
  /** Of several services of these types, the one of this name. */
  name?: string | undefined
  /** The service's name in messages. */
  title: string
  interface: string
  region?: string | undefined
}

/** `publicURL` and `public` are the same word. */
const plainInterface = (name: string): string => name.replace(/URL$/, '')

export function findEndpoint(catalog: readonly CatalogService[], wish: EndpointWish): string {
  if (catalog.length === 0) {
    throw failed('the service catalog is empty', {
      hint: 'the token has no project: name one with --os-project-name (OS_PROJECT_NAME)',
    })
  }
  const services = wish.types.flatMap(type => catalog.filter(s => s.type === type))
  if (services.length === 0) {
    throw failed(`this cloud does not offer ${wish.title}: its catalog has no ${wish.types[0]} service`, {
      hint: `it offers ${[...new Set(catalog.map(s => s.type))].sort().join(', ')}; an address can be given with --os-endpoint-override`,
    })
  }
  const named = services.filter(s => wish.name === undefined || s.name === wish.name)
  if (named.length === 0) {
    throw failed(`the catalog has no ${wish.title} with the name "${wish.name}"`, {
      hint: `names: ${services.map(s => s.name).join(', ')} (--os-service-name)`,
    })
  }
  const wanted = plainInterface(wish.interface)
  const all = named.flatMap(s => s.endpoints)
  const found = all.find(
    e => plainInterface(e.interface) === wanted && (wish.region === undefined || e.region === wish.region),
  )
  if (found && /^https?:\/\/[^/]/.test(found.url) && URL.canParse(found.url)) return found.url
  if (found) {
    throw failed(
      `the catalog has "${found.url}" as the address of ${wish.title}, which is not an http:// or https:// address`,
      {
        hint: 'tell the operator; the right one can be given with --os-endpoint-override',
      },
    )
  }
  throw noSuchEndpoint(wish, wanted, all)
}

function noSuchEndpoint(
  wish: EndpointWish,
  wanted: string,
  all: readonly { interface: string; region: string | null }[],
): CoeError {
  const regions = [...new Set(all.map(e => e.region ?? '(none)'))].sort()
  const interfaces = [...new Set(all.map(e => plainInterface(e.interface)))].sort()
  const where = wish.region === undefined ? '' : ` in region "${wish.region}"`
  const near =
    wish.region !== undefined && !regions.includes(wish.region) ? didYouMean(wish.region, regions) : undefined
  return failed(`${wish.title} has no ${wanted} endpoint${where}`, {
    hint: `${near ? `${near} ` : ''}The catalog has ${wish.title} in ${regions.join(', ')} as ${interfaces.join(', ')} (--os-region-name, --os-interface; names are case-sensitive)`,
  })
}
