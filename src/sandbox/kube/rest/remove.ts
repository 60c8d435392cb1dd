import type { Answer } from '../../http.ts'
import { json } from '../../http.ts'
import { callWebhooks } from '../access/admission.ts'
import type { KubeObject } from '../object.ts'
import { type DeleteOptions, deleteObject, getObject } from '../objects.ts'
import { apiVersionOf, idOf } from '../resource-types.ts'
import { matcherOf } from '../selectors.ts'
import { answerObject, type Call, isDryRun, readBody } from './call.ts'

async function readOptions(call: Call): Promise<DeleteOptions> {
  const { query } = call.request
  const body = (await readBody(call)) ?? {}
  const grace = body.gracePeriodSeconds ?? query.get('gracePeriodSeconds')
  return {
    uid: body.preconditions?.uid,
    resourceVersion: body.preconditions?.resourceVersion,
    propagationPolicy: body.propagationPolicy ?? query.get('propagationPolicy') ?? undefined,
    gracePeriodSeconds: grace === null || grace === undefined ? undefined : Number(grace),
    dryRun: body.dryRun?.includes('All') || isDryRun(call),
  }
}

export async function remove(call: Call): Promise<Answer> {
  const { plane, type, namespace } = call
  const name = call.name as string
  const options = await readOptions(call)
  await callWebhooks(plane, 'DELETE', type, getObject(plane, type, namespace, name))
  const { old, left } = deleteObject(plane, type, namespace, name, options)
  if (left) return answerObject(call, left)
  return json(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(type.group ? { group: type.group } : {}),
      kind: type.plural,
      uid: old.metadata.uid,
    },
  })
}

export async function removeAll(call: Call): Promise<Answer> {
  const { plane, type, namespace, request } = call
  const options = await readOptions(call)
  const matches = matcherOf(request.query, type)
  const items: KubeObject[] = []
  for (const object of plane.store.list(idOf(type), namespace).filter(matches)) {
    await callWebhooks(plane, 'DELETE', type, object)
    items.push(deleteObject(plane, type, object.metadata.namespace, object.metadata.name, options).old)
  }
  const metadata = { resourceVersion: String(plane.store.revision()) }
  return json(200, { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata, items })
}
