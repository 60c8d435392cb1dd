import type { Clock } from '../../../core/world.ts'
import type { Answer, Request } from '../../http.ts'
import { json } from '../../http.ts'
import type { TokenSigner, User } from '../access/tokens.ts'
import type { Manager } from '../change/managed-fields.ts'
import type { ControlPlane } from '../control-plane.ts'
import { badRequest, invalid, unsupportedMediaType, unsupportedValue } from '../failure.ts'
import { isMap, type Json, type KubeObject } from '../object.ts'
import { apiVersionOf, type ResourceType } from '../resource-types.ts'
import { parse } from '../yaml.ts'

/** One authorized request to one resource. */
export interface Call {
  plane: ControlPlane
  request: Request
  user: User
  signer: TokenSigner
  /** Real time, for the maximum duration of a watch. */
  wireClock: Clock
  type: ResourceType
  verb: string
  namespace: string | undefined
  name: string | undefined
  subresource: string | undefined
}

export async function readBody({ request }: Call): Promise<Json> {
  // kubectl's generators (`create deployment`) send protobuf; objects from files are sent as JSON
  if (/protobuf|cbor/.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType()
  const text = (await request.body()).toString('utf8')
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    try {
      return parse(text)
    } catch (error) {
      throw badRequest(`error decoding request body: ${(error as Error).message}`)
    }
  }
}

/** The body as an object of this resource, with its identity from the URL. */
export function asObject(call: Call, body: Json): KubeObject {
  const { type, namespace, name } = call
  if (!isMap(body)) throw badRequest(`the object provided is unrecognized (must be of type ${type.kind})`)
  const object = {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    ...body,
    metadata: { ...body.metadata },
  } as KubeObject
  if (object.kind !== type.kind || object.apiVersion !== apiVersionOf(type)) {
    const there = object.apiVersion.split('/').at(-1)
    throw badRequest(`${object.kind} in version "${there}" cannot be handled as a ${type.kind}: unknown conversion`)
  }
  const { metadata } = object
  if (type.namespaced) {
    if (metadata.namespace && namespace && metadata.namespace !== namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
    }
    if (namespace) metadata.namespace = namespace
  } else delete metadata.namespace
  if (name !== undefined && !call.subresource) {
    if (metadata.name && metadata.name !== name) {
      throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
    }
    metadata.name = name
  }
  return object
}

export function isDryRun({ request, verb }: Call): boolean {
  const values = request.query.getAll('dryRun')
  if (values.some(value => value !== 'All')) {
    const kind = verb === 'patch' ? 'PatchOptions' : verb === 'update' ? 'UpdateOptions' : 'CreateOptions'
    const type = { plural: '', group: 'meta.k8s.io', kind }
    throw invalid(type, '', [unsupportedValue('dryRun', values, ['All'])])
  }
  return values.length > 0
}

export function managerOf({ request, type }: Call): Manager {
  const agent = request.headers['user-agent']?.split('/')[0]
  return {
    name: request.query.get('fieldManager') || agent || 'unknown',
    operation: 'Update',
    apiVersion: apiVersionOf(type),
  }
}

/** An object in the requested version, whatever version it was stored in. */
export const sent = (type: ResourceType, object: KubeObject): KubeObject => ({
  ...object,
  kind: type.kind,
  apiVersion: apiVersionOf(type),
})

export const answerObject = (call: Call, object: KubeObject, status = 200): Answer =>
  json(status, sent(call.type, object))
