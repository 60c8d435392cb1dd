/**
 * What was applied of the definitions is noted in the federation's API: as long as none of them has changed since, a run
 * that finds the note need neither parse 700 KB of YAML nor send them again. Their generation tells: it moves with each change.
 */

import { createHash } from 'node:crypto'
import { awaitAll } from '../../../core/concurrency.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import { labelSelector } from '../../../kube/api/selector.ts'
import { type Conversion, contentDigest } from './definitions.ts'
import type { TarEntry } from './tar.ts'

export interface Imprint {
  /** Of all that decides what is applied. */
  digest: string
  /** On each of them. */
  labels: Readonly<Record<string, string>>
  count: number
}

/** Of the code that makes objects of the archive: to be raised when that changes. */
const edition = 1

export function imprintOf(
  archive: readonly TarEntry[],
  conversion: Conversion,
  labels: Readonly<Record<string, string>>,
): Imprint {
  const all = JSON.stringify([edition, contentDigest(archive), conversion.url, conversion.caBundle, labels])
  return { digest: createHash('sha256').update(all).digest('hex'), labels, count: archive.length }
}

const noteKind = { apiVersion: 'v1', kind: 'ConfigMap' }
const place = { name: 'coe-definitions', namespace: 'kube-system' }
export const definitionKind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }

export function definitionsNote({ digest }: Imprint, applied: readonly KubeObject[]): KubeObject {
  const generations = Object.fromEntries(applied.map(({ metadata }) => [metadata.name, metadata.generation]))
  return { ...noteKind, metadata: place, data: { digest, generations: JSON.stringify(generations) } }
}

export async function definitionsStand(api: ClusterApi, imprint: Imprint, signal: AbortSignal): Promise<boolean> {
  const [note, { items }] = await awaitAll([
    api.get({ ...noteKind, ...place }, { signal }),
    api.list(definitionKind, { labels: labelSelector(imprint.labels), metadataOnly: true, signal }),
  ])
  if (note?.data?.digest !== imprint.digest || items.length !== imprint.count) return false
  const generations = notedIn(note)
  return items.every(
    ({ metadata }) =>
      metadata.deletionTimestamp === undefined &&
      metadata.generation !== undefined &&
      metadata.generation === generations[metadata.name ?? ''],
  )
}

/** The names of those that were applied; undefined: there is no note, or none that can be read. */
export async function notedDefinitions(api: ClusterApi, signal: AbortSignal): Promise<string[] | undefined> {
  const note = await api.get({ ...noteKind, ...place }, { signal })
  return note && Object.keys(notedIn(note))
}

/** Somebody may have edited it; then it says nothing. */
function notedIn(note: KubeObject): Record<string, number | undefined> {
  try {
    return JSON.parse(note.data.generations) ?? {}
  } catch {
    return {}
  }
}
