import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTar } from '../../../src/drivers/karmada_v1/create/tar.ts'

const hasTar = spawnSync('tar', ['--version']).status === 0
const longName = `bases/${'deep/'.repeat(30)}file.yaml`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coe-tar-'))
  for (const [path, text] of [
    ['bases/a.yaml', 'a: 1\n'],
    ['bases/empty.yaml', ''],
    ['bases/big.yaml', 'x'.repeat(5000)],
    [longName, 'long'],
  ] as const) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(!hasTar).each(['ustar', 'gnu', 'pax'])('an archive as tar --format=%s makes it', format => {
  it('gives each file under its whole name, and no folders', () => {
    const archive = execFileSync('tar', ['-C', folder, `--format=${format}`, '-cf', '-', 'bases'])
    const found = new Map(readTar(archive).map(e => [e.path, e.content.toString()]))
    expect([...found.keys()].sort()).toEqual(['bases/a.yaml', 'bases/big.yaml', longName, 'bases/empty.yaml'].sort())
    expect(found.get('bases/a.yaml')).toBe('a: 1\n')
    expect(found.get('bases/empty.yaml')).toBe('')
    expect(found.get('bases/big.yaml')).toHaveLength(5000)
    expect(found.get(longName)).toBe('long')
  })
})

describe.skipIf(!hasTar)('a damaged archive', () => {
  const archive = () => execFileSync('tar', ['-C', folder, '-cf', '-', 'bases'])

  it('is told where its end is missing', () => {
    expect(() => readTar(archive().subarray(0, 512 * 4))).toThrow(/damaged/)
  })
  it('is told where a header was changed', () => {
    const changed = Buffer.from(archive())
    changed[3] = (changed[3] as number) ^ 1
    expect(() => readTar(changed)).toThrow('a header has a wrong checksum')
  })
  it('is told where it is no archive at all', () => {
    expect(() => readTar(Buffer.from('<html>not found</html>'.repeat(40)))).toThrow(/damaged/)
  })
  it('is told where there is nothing', () => {
    expect(() => readTar(Buffer.alloc(0))).toThrow('it is empty')
  })
})
