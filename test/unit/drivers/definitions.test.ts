import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  contentDigest,
  parseDefinitions,
  unpack,
  withConversion,
} from '../../../src/drivers/karmada_v1/create/definitions.ts'
import { archiveName, findDefinitions, releaseUrl } from '../../../src/drivers/karmada_v1/create/find-definitions.ts'
import { defaultVersion } from '../../../src/drivers/karmada_v1/versions.ts'
import { definitionArchive } from '../../../src/sandbox/karmada/definition-archive.ts'
import { failureOf } from '../../support/kube.ts'

const { archive, digest } = definitionArchive()
const engine = { ...defaultVersion, definitions: digest }
const other = gzipSync(Buffer.from(gunzipSync(archive)).fill('Y', 600, 601))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coe-definitions-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const nowhere = async (): Promise<Buffer> => {
  throw new Error('there is no internet here')
}
const put = async (name: string, content: Buffer): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

describe('the digest', () => {
  it('is of the content: packed with another level, it is the same', () => {
    const again = gzipSync(gunzipSync(archive), { level: 1 })
    expect(again.equals(archive)).toBe(false)
    expect(contentDigest(unpack(again))).toBe(digest)
  })
  it('changes with any byte of a definition', () => {
    expect(contentDigest(unpack(other))).not.toBe(digest)
  })
})

describe('definitions', () => {
  it('are parsed, and the two kinds with an older version are translated by the webhook', async () => {
    const parsed = await parseDefinitions(unpack(archive))
    expect(parsed).toHaveLength(19)
    const all = withConversion(parsed, { url: 'https://karmada-webhook:443/convert', caBundle: 'Q0E=' })
    const converted = all.filter(o => o.spec.conversion).map(o => o.metadata.name)
    expect(converted).toEqual(['clusterresourcebindings.work.karmada.io', 'resourcebindings.work.karmada.io'])
    expect(all.find(o => o.spec.conversion)?.spec.conversion.webhook.clientConfig).toEqual({
      url: 'https://karmada-webhook:443/convert',
      caBundle: 'Q0E=',
    })
  })
})

describe('the archive is looked for', () => {
  it('where it was named, and nowhere else', async () => {
    const named = await put('mine.tar.gz', archive)
    await put(archiveName(engine.version), other)
    expect(await findDefinitions(engine, { named, assets: folder, download: nowhere })).toHaveLength(19)
    const missing = await failureOf(
      findDefinitions(engine, { named: join(folder, 'no'), assets: folder, download: nowhere }),
    )
    expect(missing.message).toContain('there is no archive of definitions at')
  })

  it('in the assets folder, then in the cache, then at the release, which fills the cache', async () => {
    const asked: string[] = []
    const download = async (url: string) => {
      asked.push(url)
      return archive
    }
    const cache = join(folder, 'cache')
    await findDefinitions(engine, { assets: join(folder, 'assets'), cache, download })
    expect(asked).toEqual([releaseUrl(engine.version)])
    expect((await readFile(join(cache, archiveName(engine.version)))).equals(archive)).toBe(true)
    expect(await findDefinitions(engine, { cache, download: nowhere })).toHaveLength(19)
    await put(archiveName(engine.version), archive)
    expect(await findDefinitions(engine, { assets: folder, download: nowhere })).toHaveLength(19)
  })

  it('anew when what the cache has is spoilt', async () => {
    await put(archiveName(engine.version), archive.subarray(0, 500))
    expect(await findDefinitions(engine, { cache: folder, download: async () => archive })).toHaveLength(19)
    expect((await readFile(join(folder, archiveName(engine.version)))).equals(archive)).toBe(true)
  })

  it('anew when the cache has a link or a pipe, which is not waited for', async () => {
    const path = join(folder, archiveName(engine.version))
    for (const command of [`ln -s /dev/zero '${path}'`, `mkfifo '${path}'`]) {
      execFileSync('sh', ['-c', `rm -f '${path}'; ${command}`])
      expect(await findDefinitions(engine, { cache: folder, download: async () => archive })).toHaveLength(19)
      expect((await readFile(path)).equals(archive)).toBe(true)
    }
  })

  it('by URL', async () => {
    const asked: string[] = []
    const download = async (url: string) => {
      asked.push(url)
      return archive
    }
    await findDefinitions(engine, { named: 'https://mirror.example/crds.tgz', download })
    expect(asked).toEqual(['https://mirror.example/crds.tgz'])
  })
})

describe('an archive that is not what it should be', () => {
  it.each([
    [
      'another content',
      other,
      /does not contain the definitions of v1\.18\.2: its content has the digest sha256:[0-9a-f]{64}, not sha256:/,
    ],
    ['no archive', Buffer.from('<html>'), /is not in gzip format/],
    ['half of one', archive.subarray(0, archive.length / 2), /is not in gzip format, or is truncated/],
    ['an archive of other things', gzipSync(Buffer.alloc(1024)), /contains no definitions/],
  ])('is refused and named: %s', async (_, content, message) => {
    const named = await put('x.tar.gz', content)
    const failure = await failureOf(findDefinitions(engine, { named, download: nowhere }))
    expect(failure.message).toMatch(message)
    expect(failure.message).toContain(named)
    expect(failure.hint).toContain('--crds FILE')
  })

  it('is taken when somebody vouches for its digest', async () => {
    const named = await put('x.tar.gz', other)
    const found = await findDefinitions(engine, { named, download: nowhere, digest: contentDigest(unpack(other)) })
    expect(found).toHaveLength(19)
  })
})

it('without internet says what to fetch and where to put it', async () => {
  const failure = await failureOf(findDefinitions(engine, { assets: folder, download: nowhere }))
  expect(failure.message).toContain('there is no internet here')
  expect(failure.hint).toContain(releaseUrl('v1.18.2'))
  expect(failure.hint).toContain('COE_ASSETS')
})
