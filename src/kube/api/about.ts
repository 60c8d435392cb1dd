/** Requests about a cluster itself and about coe's own user on it. */
import { mapLimit } from '../../core/concurrency.ts'
import type { Wire } from '../access/cluster.ts'
import type { AccessQuestion, Identity, RequestLimits, ServerVersion } from './cluster-api.ts'
import { absent, getObject, limitsOf } from './read.ts'
import { reviewShape, selfShape, versionShape } from './shapes.ts'

export async function serverVersion(wire: Wire, limits?: RequestLimits): Promise<ServerVersion> {
  const response = await wire.call({ method: 'GET', path: '/version', ...limitsOf(limits) }, 'tell its version')
  return wire.json(response, versionShape)
}

export async function identity(wire: Wire, limits?: RequestLimits): Promise<string> {
  const ref = { apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' }
  const uid = (await getObject(wire, ref, limits))?.metadata.uid
  if (uid === undefined) throw absent(wire, ref)
  return uid
}

/** Undefined on servers before 1.28, which do not have this API. */
export async function whoami(wire: Wire, limits?: RequestLimits): Promise<Identity | undefined> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const response = await wire.call(
    { method: 'POST', path, body, repeatable: true, ...limitsOf(limits) },
    'tell who we are',
    [404],
  )
  if (response.status === 404) return undefined
  const { userInfo } = wire.json<{ status: { userInfo: Partial<Identity> } }>(response, selfShape).status
  return { groups: [], username: '', ...userInfo }
}

/** For several questions, asks first whether the user may do everything: for an administrator one request is enough. */
export async function canI(
  wire: Wire,
  questions: readonly AccessQuestion[],
  limits?: RequestLimits,
): Promise<boolean[]> {
  if (questions.length > 2 && (await mayI(wire, { verb: '*', group: '*', resource: '*' }, limits))) {
    return questions.map(() => true)
  }
  return mapLimit(questions, 8, question => mayI(wire, question, limits))
}

async function mayI(wire: Wire, question: AccessQuestion, limits?: RequestLimits): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: question },
  }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const response = await wire.call(
    { method: 'POST', path, body, repeatable: true, ...limitsOf(limits) },
    'tell what we may do',
  )
  return wire.json<{ status: { allowed: boolean } }>(response, reviewShape).status.allowed
}
