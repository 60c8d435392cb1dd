/** Remembers which host has which federation, to find it faster. It does no harm to delete this index. */
import { join } from 'node:path'
import { type JsonFileFormat, readJsonFile, writeJsonFile } from '../core/json-file.ts'
import { list, object, text } from '../core/shape.ts'
import type { KnownFederation } from '../model/local-state.ts'
import type { LocalDeps } from './deps.ts'

const entryShape = object({ name: text, host: text }, { uuid: text, namespace: text })
const indexFormat: JsonFileFormat = { format: 1, fields: { federations: list(entryShape) } }

const fileOf = ({ state }: Pick<LocalDeps, 'state'>): string | undefined =>
  state === undefined ? undefined : join(state, 'federations.json')

/** For messages that tell the user where to remove an entry. */
export const indexFile = (deps: Pick<LocalDeps, 'state'>): string => fileOf(deps) ?? 'the local index'

export async function readIndex(deps: LocalDeps): Promise<KnownFederation[]> {
  const file = fileOf(deps)
  // without an index, a scan of the contexts finds the same
  return (file && readJsonFile<{ federations: KnownFederation[] }>(file, indexFormat, deps.world)?.federations) || []
}

/** Replaces entries of the same name and place: that federation is gone. */
export const remember = (deps: LocalDeps, found: readonly KnownFederation[]): Promise<void> =>
  change(deps, entries =>
    found.reduce((all, entry) => {
      if (all.some(e => same(e, entry))) return all
      return [...all.filter(e => e.uuid !== entry.uuid && !samePlace(e, entry)), entry]
    }, entries),
  )

/**
 * Remembers a host that the user named for the federation and that did not answer, so that later commands do not
 * conclude that the federation does not exist.
 */
export const rememberPlace = (deps: LocalDeps, name: string, host: string): Promise<void> =>
  change(deps, entries =>
    entries.some(e => (e.name === name || e.uuid === name) && e.host === host) ? entries : [...entries, { name, host }],
  )

/** For a host that has answered and does not have the federation. */
export const forgetPlace = (deps: LocalDeps, name: string, host: string): Promise<void> =>
  change(deps, entries => entries.filter(e => (e.name !== name && e.uuid !== name) || e.host !== host))

const same = (a: KnownFederation, b: KnownFederation): boolean =>
  a.uuid === b.uuid && samePlace(a, b) && a.uuid !== undefined

const samePlace = (a: KnownFederation, b: KnownFederation): boolean =>
  a.name === b.name && a.host === b.host && (a.uuid === undefined || a.namespace === b.namespace)

export const forget = (deps: LocalDeps, uuid: string): Promise<void> =>
  change(deps, entries => entries.filter(e => e.uuid !== uuid))

async function change(deps: LocalDeps, edit: (entries: KnownFederation[]) => KnownFederation[]): Promise<void> {
  const file = fileOf(deps)
  if (file === undefined) return
  const before = await readIndex(deps)
  const after = edit(before)
  if (JSON.stringify(after) === JSON.stringify(before)) return
  // if the folder cannot be written, the next run scans the contexts
  await writeJsonFile(file, indexFormat, { federations: after }).catch(() => {})
}
