/** Reads all pages of a list. Uses only the marker of the server's `next`, whose address is wrong behind a proxy. */
import { failed } from '../../core/errors.ts'
import { list, nullable, object, type Shape, text } from '../../core/shape.ts'
import { shownUrl } from '../../http/failure.ts'
import type { Page } from '../../model/operation.ts'
import type { Service } from '../service.ts'

export interface Listing {
  path: string
  /** Key of the list in the answer. */
  plural: string
  needs?: string
  query?: Record<string, string | undefined>
  item: Shape
}

export async function listAll<T>(service: Service, listing: Listing, page: Page): Promise<T[]> {
  const found: T[] = []
  const expects = object({ [listing.plural]: list(listing.item) }, { next: nullable(text) })
  const seenMarkers = new Set<string>()
  let marker = page.marker
  for (;;) {
    const left = page.limit === undefined ? undefined : page.limit - found.length
    const body = await service.json<Record<string, unknown>>({
      method: 'GET',
      path: listing.path,
      query: { ...listing.query, limit: left, marker, sort_key: page.sortKey, sort_dir: page.sortDir },
      ...(listing.needs ? { needs: listing.needs } : {}),
      expects,
    })
    const items = body[listing.plural] as T[]
    found.push(...items)
    const next = typeof body.next === 'string' ? nextMarker(body.next) : undefined
    // A marker that does not advance would loop for ever.
    if (items.length === 0 || next === undefined || next === marker) return found
    if (page.limit !== undefined && found.length >= page.limit) return found.slice(0, page.limit)
    if (seenMarkers.has(next)) {
      throw failed(`the pages of Magnum's list of ${listing.plural} form a loop (${shownUrl(service.url)})`, {
        hint: 'does a proxy in between drop the part of an address after the "?"? --limit N requests one page',
      })
    }
    seenMarkers.add(next)
    marker = next
  }
}

function nextMarker(next: string): string | undefined {
  const query = next.split('?')[1]
  return query === undefined ? undefined : (new URLSearchParams(query).get('marker') ?? undefined)
}
