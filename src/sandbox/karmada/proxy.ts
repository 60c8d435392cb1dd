import { type Answer, json } from '../http.ts'
import { badRequest, KubeFailure } from '../kube/failure.ts'
import { getObject } from '../kube/objects.ts'
import type { Call } from '../kube/rest/call.ts'
import { memberClient } from './member-client.ts'

/** `clusters/c2/proxy/api/v1/…`: forwards the request to the member, impersonating the user. */
export async function proxyToMember(call: Call, rest: string[]): Promise<Answer> {
  const cluster = getObject(call.plane, call.type, undefined, call.name as string)
  if (!cluster.spec.impersonatorSecretRef) throw badRequest(`the impersonatorSecretRef of cluster ${call.name} is nil`)
  const client = memberClient(call.plane, cluster, true)
  if ('error' in client) throw badRequest(client.error)
  const { request, user } = call
  const query = request.query.toString()
  const path = `/${rest.map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`
  const body = (await request.body()).toString('utf8')
  try {
    const answer = await client.call(request.method, path, body || undefined, {
      'impersonate-user': user.name,
      'impersonate-group': user.groups.filter(group => group !== 'system:authenticated').join(', '),
      'content-type': request.headers['content-type'] ?? 'application/json',
    })
    if (typeof answer.body === 'string')
      return { status: answer.status, headers: { 'Content-Type': 'text/plain' }, body: answer.body }
    return json(answer.status, answer.body)
  } catch (error) {
    throw new KubeFailure(503, 'ServiceUnavailable', `error trying to reach service: ${(error as Error).message}`)
  } finally {
    client.close()
  }
}
