/** Revokes a token. */
import type { Endpoint } from '../http/transport.ts'
import { apiError } from './api-error.ts'
import { v3Path } from './keystone.ts'

export async function revokeToken(endpoint: Endpoint, token: string, signal: AbortSignal | undefined): Promise<void> {
  const response = await endpoint.request({
    method: 'DELETE',
    path: `${v3Path(endpoint.url)}/auth/tokens`,
    headers: { 'x-auth-token': token, 'x-subject-token': token },
    signal,
  })
  // 401 and 404: the token is invalid already
  if (response.status >= 300 && response.status !== 404 && response.status !== 401) {
    throw apiError(response, { name: endpoint.name, url: endpoint.url })
  }
}
