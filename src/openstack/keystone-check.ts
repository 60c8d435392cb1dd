/** Asks Keystone whether a token is still valid. */
import type { Endpoint } from '../http/transport.ts'
import { apiError } from './api-error.ts'
import { v3Path } from './keystone.ts'

export async function isValid(endpoint: Endpoint, token: string, signal: AbortSignal | undefined): Promise<boolean> {
  const response = await endpoint.request({
    method: 'GET',
    path: `${v3Path(endpoint.url)}/auth/tokens`,
    query: { nocatalog: '' },
    headers: { 'x-auth-token': token, 'x-subject-token': token },
    signal,
  })
  if (response.status < 300) return true
  if (response.status === 401 || response.status === 404) return false
  throw apiError(response, { name: endpoint.name, url: endpoint.url })
}
