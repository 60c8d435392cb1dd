/** Reads the archive that defines Karmada's kinds, verifies its content and converts it to objects. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { loadYaml } from '../../../config/yaml/yaml-parser.ts'
import { failed } from '../../../core/errors.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Far more than any release contains. Protects against decompression bombs. */
const maxBytes = 32 * 1024 * 1024

/** The definitions in an archive, with and sorted by their paths below `bases/`. */
export function unpack(archive: Buffer): TarEntry[] {
  let unzipped: Buffer
  try {
    unzipped = gunzipSync(archive, { maxOutputLength: maxBytes })
  } catch (error) {
    throw failed('the archive is not in gzip format, or is truncated', { cause: error })
  }
  const found = readTar(unzipped).flatMap(({ path, content }) => {
    const below = /(?:^|\/)bases\/(.+\.yaml)$/.exec(path)?.[1]
    return below === undefined ? [] : [{ path: below, content }]
  })
  if (found.length === 0) throw failed('the archive contains no definitions (bases/…/*.yaml)')
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A digest of paths and contents only, so that it stays the same if the same files are packed again. */
export function contentDigest(entries: readonly TarEntry[]): string {
  const total = createHash('sha256')
  for (const { path, content } of entries) {
    total.update(`${createHash('sha256').update(content).digest('hex')}  ${path}\n`)
  }
  return `sha256:${total.digest('hex')}`
}

/** The kinds whose older versions the webhook converts. */
const converted = new Set(['resourcebindings.work.karmada.io', 'clusterresourcebindings.work.karmada.io'])

export interface Conversion {
  url: string
  /** PEM in base64. */
  caBundle: string
}

/** Parses the definitions one by one: 700 KB of YAML take half a second, and other work must not wait for that. */
export async function parseDefinitions(entries: readonly TarEntry[]): Promise<KubeObject[]> {
  const { parse } = await loadYaml()
  const objects: KubeObject[] = []
  for (const { path, content } of entries) {
    const object = parse(content.toString('utf8')) as KubeObject | null
    if (object?.kind !== 'CustomResourceDefinition' || !object.metadata.name) {
      throw failed(`${path} in the archive is not a CustomResourceDefinition`)
    }
    objects.push(object)
    await new Promise(setImmediate)
  }
  return objects
}

export function withConversion(definitions: readonly KubeObject[], { url, caBundle }: Conversion): KubeObject[] {
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { url, caBundle: `${caBundle}` }, conversionReviewVersions: ['v1'] },
  }
  return definitions.map(object =>
    converted.has(object.metadata.name ?? '') ? { ...object, spec: { ...object.spec, conversion } } : object,
  )
}
