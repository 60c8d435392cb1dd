import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder } from '../../../src/core/folder.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coe-folder-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

describe('a folder', () => {
  it('is made with its parents, for its owner alone, and may exist already', async () => {
    const deep = join(home, 'a/b/c')
    await makeFolder(deep)
    await makeFolder(deep)
    expect((await stat(join(home, 'a/b'))).mode & 0o777).toBe(0o700)
    expect((await stat(deep)).isDirectory()).toBe(true)
  })

  it('can be made by several callers at once', async () => {
    const deep = join(home, 'd/e/f')
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(deep)))
    expect((await stat(deep)).isDirectory()).toBe(true)
  })

  it('cannot be made in place of a file', async () => {
    await writeFile(join(home, 'file'), '')
    await expect(makeFolder(join(home, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolder(join(home, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(existsSync('/proc/self'))('is given up where nothing can be made, rather than tried for ever', async () => {
    await expect(makeFolder('/proc/self/here/and/there')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
