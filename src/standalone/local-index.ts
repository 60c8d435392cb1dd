/** Which host had which federation when this machine last saw it. A help and no more: it can be lost without loss. */
import { join } from 'node:path'
import { readIfExists, writeAtomic } from '../core/files.ts'
import type { Standalone } from './room.ts'

export interface IndexEntry {
  name: string
  uuid: string
  /** A cluster reference. */
  host: string
  namespace: string
}

const fileOf = ({ state }: Standalone): string | undefined =>
  state === undefined ? undefined : join(state, 'federations.json')

export async function readIndex(room: Standalone): Promise<IndexEntry[]> {
  const file = fileOf(room)
  try {
    const text = file && (await readIfExists(file))
    const entries: unknown = text ? JSON.parse(text) : []
    return Array.isArray(entries) ? entries.filter(e => typeof e?.host === 'string' && typeof e?.name === 'string') : []
  } catch {
    return [] // broken, or not ours to read: the scan finds what it would have told
  }
}

/** Whatever was of that name in that place is gone. */
export const remember = (room: Standalone, entry: IndexEntry): Promise<void> =>
  change(room, entries => [...entries.filter(e => e.uuid !== entry.uuid && !samePlace(e, entry)), entry])

const samePlace = (a: IndexEntry, b: IndexEntry): boolean =>
  a.name === b.name && a.host === b.host && a.namespace === b.namespace

export const forget = (room: Standalone, uuid: string): Promise<void> =>
  change(room, entries => entries.filter(e => e.uuid !== uuid))

async function change(room: Standalone, edit: (entries: IndexEntry[]) => IndexEntry[]): Promise<void> {
  const file = fileOf(room)
  if (file === undefined) return
  const before = await readIndex(room)
  const after = edit(before)
  if (JSON.stringify(after) === JSON.stringify(before)) return
  // a folder that cannot be written to costs the next run a scan
  await writeAtomic(file, `${JSON.stringify(after, null, 2)}\n`).catch(() => {})
}
