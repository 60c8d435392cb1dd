/** What a client's requests took, in RBAC's words: `list services`, `get secrets within x`. */
import type { LoggedRequest } from '../../src/sandbox/log.ts'

const resourcePath =
  /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/

export interface UsedRight {
  verb: string
  /** `deployments.apps`, `pods/log` */
  resource: string
  namespace?: string | undefined
}

export function usedRights(requests: readonly LoggedRequest[]): UsedRight[] {
  return requests.flatMap(({ method, url, status }) => {
    const { pathname, searchParams } = new URL(url, 'https://cluster')
    const [whole, group, within, plural = '', name, subresource] = resourcePath.exec(pathname) ?? []
    if (whole === undefined) return []
    const resource = [plural, ...(group ? [group] : [])].join('.') + (subresource ? `/${subresource}` : '')
    // a namespace is within itself
    const namespace = plural === 'namespaces' ? name : within
    return verbsOf(method, name !== undefined, searchParams, status).map(verb => ({ verb, resource, namespace }))
  })
}

function verbsOf(method: string, named: boolean, query: URLSearchParams, status: number | undefined): string[] {
  if (method === 'GET') return [query.get('watch') ? 'watch' : named ? 'get' : 'list']
  if (method === 'POST') return ['create']
  if (method === 'PUT') return ['update']
  if (method === 'DELETE') return [named ? 'delete' : 'deletecollection']
  return status === 201 ? ['patch', 'create'] : ['patch']
}
