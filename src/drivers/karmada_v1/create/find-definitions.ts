/** Finds the archive of definitions: from --crds, the assets folder, the cache or the release. Its content is always verified. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CoeError, errorCode, failed, notFound } from '../../../core/errors.ts'
import { writeAtomic } from '../../../core/files.ts'
import { openOwn } from '../../../core/own-file.ts'
import type { EngineVersion } from '../versions.ts'
import { contentDigest, unpack } from './definitions.ts'
import type { TarEntry } from './tar.ts'

export interface DefinitionSources {
  /** `--crds`: an absolute path or a URL. If set, no other source is tried. */
  named?: string | undefined
  /** The assets folder, for use without internet access. */
  assets?: string | undefined
  /** coe's cache folder; without one, nothing is cached. */
  cache?: string | undefined
  download(url: string): Promise<Buffer>
  /** `--crds-digest`: the expected digest of changed definitions, instead of the release's. */
  digest?: string | undefined
}

export const archiveName = (version: string): string => `karmada-crds-${version}.tar.gz`

export const releaseUrl = (version: string): string =>
  `https://github.com/karmada-io/karmada/releases/download/${version}/crds.tar.gz`

const isUrl = (place: string): boolean => /^https?:\/\//.test(place)

export async function findDefinitions(release: EngineVersion, sources: DefinitionSources): Promise<TarEntry[]> {
  const { named, assets, cache, download, digest } = sources
  const engine = digest ? { ...release, definitions: digest } : release
  if (named) return checked(isUrl(named) ? await download(named) : await readNamed(named), named, engine)
  const name = archiveName(engine.version)
  const provided = assets && join(assets, name)
  const carried = provided && (await readIfThere(provided))
  if (carried) return checked(carried, provided, engine)
  const kept = cache && join(cache, name)
  // the content is verified, so the file's owner does not matter
  const before = kept && openOwn(kept, undefined).data
  if (before) {
    try {
      return checked(before, kept, engine)
    } catch {
      // a damaged cache is downloaded again and replaced
    }
  }
  const url = releaseUrl(engine.version)
  const archive = await download(url).catch((error: unknown) => {
    throw unreachable(engine, url, assets, error)
  })
  const entries = checked(archive, url, engine)
  if (kept) await writeAtomic(kept, archive).catch(() => undefined) // a read-only home costs the next run a download
  return entries
}

function checked(archive: Buffer, place: string, engine: EngineVersion): TarEntry[] {
  let entries: TarEntry[]
  try {
    entries = unpack(archive)
  } catch (error) {
    throw failed(`cannot use ${place}: ${(error as Error).message}`, { cause: error, hint: remedy(engine) })
  }
  const digest = contentDigest(entries)
  if (digest === engine.definitions) return entries
  throw failed(
    `${place} does not contain the definitions of ${engine.version}: its content has the digest ${digest}, not ${engine.definitions}`,
    { hint: remedy(engine), details: { file: place, digest } },
  )
}

const remedy = (engine: EngineVersion) => `download ${releaseUrl(engine.version)} and pass it with --crds FILE`

async function readNamed(path: string): Promise<Buffer> {
  const archive = await readIfThere(path)
  if (archive) return archive
  throw notFound(`there is no archive of definitions at ${path} (--crds)`)
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw failed(`cannot read ${path}${code ? ` (${code})` : ''}`, { cause: error })
  }
}

function unreachable(engine: EngineVersion, url: string, assets: string | undefined, cause: unknown): CoeError {
  const inAssets = assets ? `, and ${assets} contains no ${archiveName(engine.version)}` : ''
  return failed(`cannot download the definitions of ${engine.version}: ${(cause as Error).message}${inAssets}`, {
    cause,
    hint: `download ${url} on a machine with internet access and pass it with --crds FILE, or put it as ${archiveName(engine.version)} into a folder and set COE_ASSETS to that folder`,
  })
}
