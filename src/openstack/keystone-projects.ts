/** Finds projects by name, if Keystone allows it: most clouds allow it only to administrators. */
import { list, nullable, object, text } from '../core/shape.ts'
import { readAnswer } from '../http/answer.ts'
import type { Endpoint } from '../http/transport.ts'
import { apiError } from './api-error.ts'
import { v3Path } from './keystone.ts'

export interface NamedProject {
  id: string
  name: string
  domain_id: string | null
}

const projectList = object({ projects: list(object({ id: text, name: text }, { domain_id: nullable(text) })) })

export async function projectsNamed(
  endpoint: Endpoint,
  token: string,
  name: string,
  signal: AbortSignal | undefined,
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
  return readAnswer<{ projects: NamedProject[] }>(response, peer, projectList).projects
}
