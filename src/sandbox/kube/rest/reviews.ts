import type { Answer } from '../../http.ts'
import { json } from '../../http.ts'
import { mayAccess, mayVisit, type Rule, rulesOf } from '../access/authorization.ts'
import type { User } from '../access/tokens.ts'
import { invalid, invalidValue, requiredValue } from '../failure.ts'
import type { Json } from '../object.ts'
import { timestamp } from '../object.ts'
import { getObject } from '../objects.ts'
import { type Call, readBody } from './call.ts'

/** Reviews: objects that are answered, never stored. */
export const reviewKinds: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {
  'selfsubjectaccessreviews.authorization.k8s.io': call => access(call, () => call.user),
  'subjectaccessreviews.authorization.k8s.io': call => access(call, subjectOf),
  'localsubjectaccessreviews.authorization.k8s.io': call => access(call, subjectOf),
  'selfsubjectrulesreviews.authorization.k8s.io': rules,
  'selfsubjectreviews.authentication.k8s.io': whoAmI,
  'tokenreviews.authentication.k8s.io': tokenReview,
}

const subjectOf = (spec: Json): User => ({ name: spec.user ?? '', groups: spec.groups ?? [] })

async function access(call: Call, subject: (spec: Json) => User): Promise<Answer> {
  const body = await readBody(call)
  const spec = body?.spec ?? {}
  const { resourceAttributes: of, nonResourceAttributes: url } = spec
  if (!of === !url) {
    throw invalid(call.type, '', [
      requiredValue(
        'spec.resourceAttributes',
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ])
  }
  const user = subject(spec)
  const allowed = of
    ? mayAccess(call.plane, user, {
        verb: of.verb ?? '*',
        group: of.group ?? '',
        resource: of.subresource ? `${of.resource}/${of.subresource}` : (of.resource ?? '*'),
        namespace: of.namespace || undefined,
        name: of.name || undefined,
      })
    : mayVisit(call.plane, user, url.verb, url.path)
  const status = { allowed, ...(allowed ? {} : { reason: '' }) }
  return json(201, { kind: call.type.kind, apiVersion: body.apiVersion, metadata: {}, spec, status })
}

async function rules(call: Call): Promise<Answer> {
  const body = await readBody(call)
  const namespace = body?.spec?.namespace
  if (!namespace) throw invalid(call.type, '', [requiredValue('spec.namespace', 'no namespace on request')])
  const master: Rule[] = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]
  const all = [
    ...(call.user.groups.includes('system:masters') ? master : []),
    ...rulesOf(call.plane, call.user, namespace),
  ]
  return json(201, {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: all.filter(rule => rule.resources),
      nonResourceRules: all.filter(rule => rule.nonResourceURLs),
      incomplete: false,
    },
  })
}

async function whoAmI({ user }: Call): Promise<Answer> {
  return json(201, {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    status: { userInfo: userInfo(user) },
  })
}

const userInfo = (user: User) => ({ username: user.name, ...(user.uid ? { uid: user.uid } : {}), groups: user.groups })

async function tokenReview(call: Call): Promise<Answer> {
  const body = await readBody(call)
  const user = call.signer.userOf(body?.spec?.token ?? '', call.plane)
  const status = user
    ? { authenticated: true, user: userInfo(user), audiences: ['https://kubernetes.default.svc.cluster.local'] }
    : { user: {}, error: '[invalid bearer token]' }
  return json(201, { kind: 'TokenReview', apiVersion: body.apiVersion, metadata: {}, spec: body.spec, status })
}

const shortestToken = 600

/** `serviceaccounts/x/token`: a token that expires. */
export async function requestToken(call: Call): Promise<Answer> {
  const account = getObject(call.plane, call.type, call.namespace, call.name as string)
  const body = (await readBody(call)) ?? {}
  const seconds = body.spec?.expirationSeconds ?? 3600
  const audiences: string[] = body.spec?.audiences ?? []
  if (seconds < shortestToken) {
    const type = { plural: 'tokenrequests', group: 'authentication.k8s.io', kind: 'TokenRequest' }
    const why = 'may not specify a duration less than 10 minutes'
    throw invalid(type, '', [invalidValue('spec.expirationSeconds', seconds, why)])
  }
  const expiresAt = call.plane.wallNow() + seconds * 1000
  return json(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: call.name, namespace: call.namespace, creationTimestamp: timestamp(call.plane.wallNow()) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: null },
    status: { token: call.signer.bound(account, audiences, expiresAt), expirationTimestamp: timestamp(expiresAt) },
  })
}
