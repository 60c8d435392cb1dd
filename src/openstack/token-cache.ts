/** A cache of tokens: one 0600 file each, named by a hash of everything that decides the scope of the token. */
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed } from '../core/errors.ts'
import { type JsonFileFormat, readJsonFile, writeJsonFile } from '../core/json-file.ts'
import type { World } from '../core/world.ts'
import { date, type Identity, identityShapes } from './identity.ts'

export interface TokenCache {
  read(): Promise<Identity | undefined>
  write(identity: Identity): Promise<void>
  drop(): Promise<void>
}

/** A token that is about to expire could do so between this check and its use. */
const marginMs = 60_000

/** The shape is checked, because the catalog in the file decides where the token is sent. */
const tokenFile: JsonFileFormat = { format: 1, fields: { ...identityShapes, expiresAt: date } }

export function tokenCache(folder: string, parameters: unknown, world: World): TokenCache {
  const name = createHash('sha256').update(JSON.stringify(parameters)).digest('hex').slice(0, 40)
  const path = join(folder, `${name}.json`)
  return {
    async read() {
      const identity = readJsonFile<Identity & { expiresAt: string }>(path, tokenFile, world)
      return identity && Date.parse(identity.expiresAt) - world.clock.now() > marginMs ? identity : undefined
    },
    async write(identity) {
      // A read-only home must not prevent work; the next run requests a token again.
      await writeJsonFile(path, tokenFile, identity).catch(() => {})
    },
    async drop() {
      await rm(path, { force: true }).catch(() => {})
    },
  }
}

/** Removes the tokens of all clouds; returns their number. */
export async function dropAll(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw failed(`the cached tokens cannot be removed: ${error.message.replace(/,.*/, '')}`, { cause: error })
  })
  const tokens = names.filter(name => /^[0-9a-f]{40}\.json$/.test(name))
  await Promise.all(tokens.map(name => rm(join(folder, name), { force: true })))
  return tokens.length
}

export const noCache: TokenCache = { read: async () => undefined, write: async () => {}, drop: async () => {} }
