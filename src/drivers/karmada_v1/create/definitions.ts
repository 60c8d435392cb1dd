/** The engine's own kinds: the archive of their definitions, checked by content and made into objects. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { loadYaml } from '../../../config/yaml/yaml-parser.ts'
import { failed } from '../../../core/errors.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Far more than any release has; a bomb ends here. */
const largest = 32 * 1024 * 1024

/** The definitions in an archive, by their path below `bases/`: in order, and whatever it was packed with. */
export function unpack(archive: Buffer): TarEntry[] {
  let unzipped: Buffer
  try {
    unzipped = gunzipSync(archive, { maxOutputLength: largest })
  } catch (error) {
    throw failed('the archive is not what gzip makes, or it is cut off', { cause: error })
  }
  const found = readTar(unzipped).flatMap(({ path, content }) => {
    const below = /(?:^|\/)bases\/(.+\.yaml)$/.exec(path)?.[1]
    return below === undefined ? [] : [{ path: below, content }]
  })
  if (found.length === 0) throw failed('the archive holds no definitions (bases/…/*.yaml)')
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Over paths and contents alone, so that packing the same files again gives the same digest. */
export function contentDigest(entries: readonly TarEntry[]): string {
  const whole = createHash('sha256')
  for (const { path, content } of entries) {
    whole.update(`${createHash('sha256').update(content).digest('hex')}  ${path}\n`)
  }
  return `sha256:${whole.digest('hex')}`
}

/** The kinds whose older version is translated by the webhook. */
const converted = new Set(['resourcebindings.work.karmada.io', 'clusterresourcebindings.work.karmada.io'])

export interface Conversion {
  url: string
  /** PEM in base64. */
  caBundle: string
}

/** One by one: 700 KB of YAML are half a second, and others want to work meanwhile. */
export async function parseDefinitions(entries: readonly TarEntry[]): Promise<KubeObject[]> {
  const { parse } = await loadYaml()
  const objects: KubeObject[] = []
  for (const { path, content } of entries) {
    const object = parse(content.toString('utf8')) as KubeObject | null
    if (object?.kind !== 'CustomResourceDefinition' || !object.metadata.name) {
      throw failed(`${path} in the archive is no CustomResourceDefinition`)
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
