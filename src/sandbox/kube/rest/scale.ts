import type { Answer } from '../../http.ts'
import { json } from '../../http.ts'
import { mergePatch } from '../change/merge-patch.ts'
import type { KubeObject } from '../object.ts'
import { getObject, updateObject } from '../objects.ts'
import { type Call, isDryRun, managerOf, readBody } from './call.ts'

function scaleOf(object: KubeObject) {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = Object.entries(object.spec.selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: object.spec.replicas },
    status: { replicas: object.status?.replicas ?? 0, selector: selector.join(',') },
  }
}

export async function scale(call: Call): Promise<Answer> {
  const object = getObject(call.plane, call.type, call.namespace, call.name as string)
  if (call.verb === 'get') return json(200, scaleOf(object))
  const body = await readBody(call)
  const wanted = call.verb === 'patch' ? mergePatch(scaleOf(object), body) : body
  const scaled = { ...object, spec: { ...object.spec, replicas: wanted.spec?.replicas ?? 0 } }
  if (body.metadata?.resourceVersion)
    scaled.metadata = { ...object.metadata, resourceVersion: body.metadata.resourceVersion }
  const options = { manager: { ...managerOf(call), subresource: 'scale' }, dryRun: isDryRun(call) }
  return json(200, scaleOf(updateObject(call.plane, call.type, scaled, options)))
}
