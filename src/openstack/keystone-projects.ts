/** Which projects have a name, as far as Keystone tells this user: most clouds tell administrators alone. */
import { type Endpoint, parseJson } from '../http/transport.ts'
import { apiError } from './api-error.ts'
import { v3Path } from './keystone.ts'

export interface NamedProject {
  id: string
  name: string
  domain_id: string | null
}

export async function projectsNamed(
  endpoint: Endpoint,
  token: string,
  name: string,
  signal: AbortSignal,
): Promise<NamedProject[]> {
  const response = await endpoint.request({
    method: 'GET',
    path: `${v3Path(endpoint.url)}/projects`,
    query: { name },
    headers: { 'x-auth-token': token },
    signal,
  })
  const peer = { name: endpoint.name, url: endpoint.url }
  if (response.status >= 300) throw apiError(response, peer)
  return (parseJson(response, peer) as { projects?: NamedProject[] } | null)?.projects ?? []
}
