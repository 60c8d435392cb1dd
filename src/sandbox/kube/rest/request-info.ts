import { type Request, segments } from '../../http.ts'

/** The target of a request, from its method and path. */
export interface RequestInfo {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  verb: string
  path: string
  resource:
    | {
        group: string
        version: string
        plural: string
        namespace: string | undefined
        name: string | undefined
        subresource: string | undefined
        /** The path after the subresource, for a proxy. */
        rest: string[]
      }
    | undefined
}

const isTrue = (text: string | null) => text === '1' || text === 'true' || text === ''

export function readRequestInfo(request: Request): RequestInfo {
  const { path, query } = request
  const method = request.method.toLowerCase()
  const parts = segments(path)
  const plain: RequestInfo = { verb: method, path, resource: undefined }
  const isCore = parts[0] === 'api'
  if (!isCore && parts[0] !== 'apis') return plain
  const group = isCore ? '' : (parts[1] ?? '')
  const version = isCore ? parts[1] : parts[2]
  let rest = parts.slice(isCore ? 2 : 3)
  if (!version || rest.length === 0) return plain
  let namespace: string | undefined
  // `namespaces/x/pods` means pods in x; `namespaces/x` and its subresources mean the namespace itself
  if (rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] as string)) {
    namespace = rest[1]
    rest = rest.slice(2)
  }
  const [plural, name, subresource, ...tail] = rest
  const watching = query.has('watch') && isTrue(query.get('watch'))
  const verbs: Record<string, string> = {
    get: watching ? 'watch' : name ? 'get' : 'list',
    head: name ? 'get' : 'list',
    post: 'create',
    put: 'update',
    patch: 'patch',
    delete: name ? 'delete' : 'deletecollection',
  }
  return {
    verb: verbs[method] ?? method,
    path,
    resource: { group, version, plural: plural as string, namespace, name, subresource, rest: tail },
  }
}
