import type { Answer } from '../../http.ts'
import { json } from '../../http.ts'
import { badRequest, expired, KubeFailure } from '../failure.ts'
import type { Json } from '../object.ts'
import { keyOf } from '../object.ts'
import { getObject } from '../objects.ts'
import { apiVersionOf, idOf } from '../resource-types.ts'
import { matcherOf } from '../selectors.ts'
import { answerObject, type Call, sent } from './call.ts'
import { tableOf, wantsTable } from './table.ts'

export function get(call: Call): Answer {
  const object = getObject(call.plane, call.type, call.namespace, call.name as string)
  if (!call.subresource && wantsTable(call.request.headers.accept)) {
    const { resourceVersion } = object.metadata
    return json(200, tableOf(call.type, [object], { resourceVersion }, call.plane.wallNow()))
  }
  return answerObject(call, object)
}

const partialKind = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
const wantsMetadata = (accept: string | undefined): boolean => /as=PartialObjectMetadataList/.test(accept ?? '')

interface Continue {
  v: 'meta.k8s.io/v1'
  rv: number
  start: string
}

function readContinue(text: string): Continue {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch (error) {
    throw badRequest(`invalid continue token: continue key is not valid: ${(error as Error).message}`)
  }
}

/** Refuses a request for a later state than this server has; the client must retry. */
export function refuseFuture(wanted: number, current: number): void {
  if (wanted <= current) return
  throw new KubeFailure(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' } as Json],
    retryAfterSeconds: 1,
  })
}

export function list(call: Call): Answer {
  const { plane, type, namespace, request } = call
  const { query } = request
  const revision = plane.store.revision()
  refuseFuture(Number(query.get('resourceVersion') ?? 0), revision)
  const matches = matcherOf(query, type)
  let objects = plane.store.list(idOf(type), namespace).filter(matches)
  if (call.name !== undefined) objects = objects.filter(object => object.metadata.name === call.name)
  let version = revision
  const token = query.get('continue')
  if (token) {
    const { rv, start } = readContinue(token)
    if (plane.store.since(idOf(type), rv) === undefined) {
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
      )
    }
    version = rv
    objects = objects.filter(object => keyOf(object.metadata.namespace, object.metadata.name) > start)
  }
  const limit = Number(query.get('limit') ?? 0)
  const page = limit > 0 ? objects.slice(0, limit) : objects
  const left = objects.length - page.length
  const last = page.at(-1)
  const metadata = {
    resourceVersion: String(version),
    ...(left > 0 && last
      ? {
          continue: Buffer.from(
            JSON.stringify({
              v: 'meta.k8s.io/v1',
              rv: version,
              start: keyOf(last.metadata.namespace, last.metadata.name),
            } satisfies Continue),
          ).toString('base64url'),
          remainingItemCount: left,
        }
      : {}),
  }
  if (wantsTable(request.headers.accept)) return json(200, tableOf(type, page, metadata, plane.wallNow()))
  if (wantsMetadata(request.headers.accept)) {
    const items = page.map(({ metadata }) => ({ ...partialKind, metadata }))
    return json(200, { ...partialKind, kind: `${partialKind.kind}List`, metadata, items })
  }
  const items = page.map(object => {
    if (!type.builtin) return sent(type, object)
    const { kind, apiVersion, ...rest } = object // built-in lists have the kind of their items only once, at the top
    return rest
  })
  return json(200, { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata, items })
}
