/** All writes except apply: each verb handles the case that the answer is lost. */

import { conflict } from '../../core/errors.ts'
import { mayBeDone } from '../../core/failed-request.ts'
import type { Response } from '../../http/transport.ts'
import type { Wire } from '../access/cluster.ts'
import type { DeleteOptions, PatchOptions, Selection, Write } from './cluster-api.ts'
import { contains } from './contains.ts'
import { alreadyExists, isConflict, statusOf } from './errors.ts'
import { type Kind, type KubeObject, type ObjectRef, refOf, refText } from './object.ts'
import { getObject, limitsOf } from './read.ts'
import { anyAnswer, objectOf } from './shapes.ts'

export const fieldManager = 'coe'

const writeQuery = (write: Write | undefined) => ({ fieldManager, dryRun: write?.dryRun ? 'All' : undefined })

export async function createObject<T extends KubeObject>(wire: Wire, object: T, write?: Write): Promise<T> {
  const path = await wire.discovery.collection(object, object.metadata.namespace, write?.signal)
  const request = { method: 'POST' as const, path, query: writeQuery(write), body: object, ...limitsOf(write) }
  let lost = false
  for (let attempt = 1; ; attempt++) {
    try {
      return wire.json<T>(await wire.call(request, `create ${refText(refOf(object))}`), objectOf(object))
    } catch (error) {
      write?.signal?.throwIfAborted()
      // after a lost answer, our own first try may have made it; callers that must know put an id of their own into the object
      const ours = alreadyExists(error) && lost
      if ((!mayBeDone(error) && !ours) || !object.metadata.name || write?.dryRun) throw error
      const live = await getObject<T>(wire, refOf(object), write)
      if (live && contains(live, object)) return live
      if (live && !alreadyExists(error)) throw takenMeanwhile(wire, object)
      // a server that answered 500 without creating it would answer the same again
      if (live || attempt === 3 || statusOf(error) !== undefined) throw error
      lost = true
    }
  }
}

const takenMeanwhile = (wire: Wire, object: KubeObject) =>
  conflict(
    `${wire.channel.title} refuses to create ${refText(refOf(object))}: another client created it at the same time`,
    {
      details: { service: 'kubernetes', status: 409, reason: 'AlreadyExists' },
    },
  )

export async function updateObject<T extends KubeObject>(
  wire: Wire,
  object: T,
  options: Write & { subresource?: string } = {},
): Promise<T> {
  const ref = refOf(object)
  const path = await wire.discovery.object(ref, options.signal)
  const request = {
    method: 'PUT' as const,
    path: options.subresource ? `${path}/${options.subresource}` : path,
    query: writeQuery(options),
    body: object,
    ...limitsOf(options),
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return wire.json<T>(await wire.call(request, `change ${refText(ref)}`), objectOf(ref))
    } catch (error) {
      options.signal?.throwIfAborted()
      if (options.dryRun || !(mayBeDone(error) || isConflict(error))) throw error
      // the answer was lost, or the server refused a repetition of a write that succeeded: the stored object shows which
      const live = await getObject<T>(wire, ref, options)
      if (live && contains(live, withoutVersion(object))) return live
      // an unchanged version means that nothing was written; a server that answered would answer the same again
      const undone = live?.metadata.resourceVersion === object.metadata.resourceVersion
      if (!live || !undone || attempt === 3 || statusOf(error) !== undefined) throw error
    }
  }
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, generation: __, managedFields: ___, ...metadata } = object.metadata
  return { ...object, metadata }
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
}

export async function patchObject<T extends KubeObject>(
  wire: Wire,
  ref: ObjectRef,
  patch: unknown,
  options: PatchOptions,
): Promise<T> {
  const path = await wire.discovery.object(ref, options.signal)
  const response = await wire.call(
    {
      method: 'PATCH',
      path: options.subresource ? `${path}/${options.subresource}` : path,
      query: writeQuery(options),
      headers: { 'content-type': patchTypes[options.type] },
      body: JSON.stringify(patch),
      // a JSON patch may append to a list, so it must not be sent twice
      repeatable: options.type !== 'json',
      ...limitsOf(options),
    },
    `change ${refText(ref)}`,
  )
  return wire.json<T>(response, objectOf(ref))
}

const deletionBody = (options: DeleteOptions) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  propagationPolicy: options.propagation ?? 'Background',
  ...(options.graceSeconds === undefined ? {} : { gracePeriodSeconds: options.graceSeconds }),
  ...(options.dryRun ? { dryRun: ['All'] } : {}),
  ...(options.uid || options.resourceVersion
    ? {
        preconditions: {
          ...(options.uid ? { uid: options.uid } : {}),
          ...(options.resourceVersion ? { resourceVersion: options.resourceVersion } : {}),
        },
      }
    : {}),
})

export async function deleteObject(wire: Wire, ref: ObjectRef, options: DeleteOptions = {}): Promise<boolean> {
  const path = await wire.discovery.object(ref, options.signal)
  const request = {
    method: 'DELETE' as const,
    path,
    body: deletionBody(options),
    repeatable: true,
    ...limitsOf(options),
  }
  try {
    const response = await wire.call(request, `delete ${refText(ref)}`, [404])
    mustBeAnswer(wire, response)
    return response.status !== 404 || response.attempts > 1
  } catch (error) {
    options.signal?.throwIfAborted()
    if (options.dryRun || !mayBeDone(error)) throw error
    const live = await getObject(wire, ref, options)
    if (!live || live.metadata.deletionTimestamp || (options.uid && live.metadata.uid !== options.uid)) return true
    throw error
  }
}

export async function deleteSelected(wire: Wire, kind: Kind, options: Selection & DeleteOptions): Promise<void> {
  const path = await wire.discovery.collection(kind, options.namespace, options.signal)
  const query = { labelSelector: options.labels, fieldSelector: options.fields }
  const request = {
    method: 'DELETE' as const,
    path,
    query,
    body: deletionBody(options),
    repeatable: true,
    ...limitsOf(options),
  }
  mustBeAnswer(wire, await wire.call(request, `delete ${kind.kind} objects`, [404]))
}

/** A proxy's web page also comes with status 200, but then nothing was deleted. */
const mustBeAnswer = (wire: Wire, response: Response): void =>
  void (response.status === 404 || wire.json(response, anyAnswer))
