/**
 * Records in the federation's API which definitions were applied, with the generation of each. As long as no generation has
 * changed, later runs need not parse and send 700 KB of YAML again.
 */

import { createHash } from 'node:crypto'
import { awaitAll } from '../../../core/concurrency.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import { labelSelector } from '../../../kube/api/selector.ts'
import { type Conversion, contentDigest } from './definitions.ts'
import type { TarEntry } from './tar.ts'

export interface Imprint {
  /** Covers everything that the applied objects depend on. */
  digest: string
  /** The labels of each definition. */
  labels: Readonly<Record<string, string>>
  count: number
}

/** The version of the code that turns the archive into objects. Raise it whenever that code changes. */
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

/** The names of the definitions that were applied; undefined if there is no note. */
export async function notedDefinitions(api: ClusterApi, signal: AbortSignal): Promise<string[] | undefined> {
  const note = await api.get({ ...noteKind, ...place }, { signal })
  return note && Object.keys(notedIn(note))
}

/** Empty if the note is unreadable, for example after a user edited it. */
function notedIn(note: KubeObject): Record<string, number | undefined> {
  try {
    return JSON.parse(note.data.generations) ?? {}
  } catch {
    return {}
  }
}
