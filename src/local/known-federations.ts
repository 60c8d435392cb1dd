/** Which host had which federation when this machine last saw it. A help and no more: it can be lost without loss. */
import { join } from 'node:path'
import { type JsonFileFormat, readJsonFile, writeJsonFile } from '../core/json-file.ts'
import { list, object, text } from '../core/shape.ts'
import type { KnownFederation } from '../model/local-state.ts'
import type { LocalDeps } from './deps.ts'

const entryShape = object({ name: text, host: text }, { uuid: text, namespace: text })
const indexFormat: JsonFileFormat = { format: 1, fields: { federations: list(entryShape) } }

const fileOf = ({ state }: Pick<LocalDeps, 'state'>): string | undefined =>
  state === undefined ? undefined : join(state, 'federations.json')

/** For messages: where an entry can be removed. */
export const indexFile = (deps: Pick<LocalDeps, 'state'>): string => fileOf(deps) ?? 'the local index'

export async function readIndex(deps: LocalDeps): Promise<KnownFederation[]> {
  const file = fileOf(deps)
  // without one, the scan finds what it would have told
  return (file && readJsonFile<{ federations: KnownFederation[] }>(file, indexFormat, deps.world)?.federations) || []
}

/** Whatever was of that name in that place is gone. */
export const remember = (deps: LocalDeps, found: readonly KnownFederation[]): Promise<void> =>
  change(deps, entries =>
    found.reduce((all, entry) => {
      if (all.some(e => same(e, entry))) return all
      return [...all.filter(e => e.uuid !== entry.uuid && !samePlace(e, entry)), entry]
    }, entries),
  )

/** A host that was named for it and did not answer: nobody may take it for one that has no such federation. */
export const rememberPlace = (deps: LocalDeps, name: string, host: string): Promise<void> =>
  change(deps, entries =>
    entries.some(e => (e.name === name || e.uuid === name) && e.host === host) ? entries : [...entries, { name, host }],
  )

/** The host has answered: there is no such federation. */
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
  // a folder that cannot be written to costs the next run a scan
  await writeJsonFile(file, indexFormat, { federations: after }).catch(() => {})
}
