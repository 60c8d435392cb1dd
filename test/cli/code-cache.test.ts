import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
let home: string
const folder = () => join(home, 'cache', 'code')

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'coe-code-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function coe(line: string, env: Record<string, string> = {}) {
  const done = spawnSync(process.execPath, [file('bin/coe.js'), ...line.split(' ')], {
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
    env: { PATH: '/usr/bin:/bin', HOME: home, COE_CACHE_DIR: join(home, 'cache'), ...env },
  })
  expect(done.stderr).toBe('')
  expect(done.status).toBe(0)
  return done.stdout
}

function flipByteOf(path: string): void {
  const content = readFileSync(path)
  const middle = content.length >> 1
  content.writeUInt8(content.readUInt8(middle) ^ 0xff, middle)
  writeFileSync(path, content)
}

/** The first line has a format, a digest, and the commands. */
const commandsIn = (path: string) => /^coe-code-1 \S+ (.*)$/m.exec(readFileSync(path, 'latin1'))?.[1]

/** Name, commands, mode, and a number that is another one when the file was written anew. */
const kept = () =>
  readdirSync(folder()).map(name => {
    const path = join(folder(), name)
    const { mode, mtimeMs } = statSync(path)
    return { path, commands: commandsIn(path), mode: mode & 0o777, mtimeMs }
  })
const base = () => kept().find(one => /\/base-[^/]*$/.test(one.path)) ?? expect.fail('nothing is kept')

// a user of its own process each time: within one process V8 remembers without files. Node 22 keeps its own.
const able = existsSync(file('dist/launch.cjs')) && Number(process.versions.node.split('.')[0]) < 22
describe.skipIf(!able)('compiled code that is kept', () => {
  it('is written once for each command, for its user alone, and changes nothing that is said', () => {
    const first = coe('help topics')
    expect(new Set(kept().map(one => one.mode))).toEqual(new Set([0o600]))
    const before = kept()
    expect(coe('help topics')).toBe(first)
    expect(kept()).toEqual(before)
    coe('version')
    expect(base().commands).toBe('help,version')
  })

  it.each([
    ['garbage', (path: string) => writeFileSync(path, 'help\nnot code')],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 200))],
    ['writable by others', (path: string) => chmodSync(path, 0o666)],
    ['damaged somewhere in the middle, which V8 does not see', (path: string) => flipByteOf(path)],
    [
      'a link',
      (path: string) => {
        renameSync(path, join(home, 'elsewhere'))
        symlinkSync(join(home, 'elsewhere'), path)
      },
    ],
  ])('is compiled anew when it is %s', (_, spoil) => {
    const first = coe('help topics')
    const { path } = base()
    const size = statSync(path).size
    spoil(path)
    expect(coe('help topics')).toBe(first)
    expect(base()).toMatchObject({ commands: 'help', mode: 0o600 })
    expect(statSync(path).size / size).toBeCloseTo(1, 1)
  })

  it('is neither used nor written where others can write the folder', () => {
    coe('version')
    const [first] = kept()
    chmodSync(folder(), 0o777)
    rmSync(first?.path ?? '')
    const before = kept()
    coe('version')
    expect(kept()).toEqual(before)
  })

  it('is done without where it cannot be written, nothing says where, or Node is told to keep none', () => {
    coe('version', { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(existsSync(join(home, 'cache'))).toBe(false)
    writeFileSync(join(home, 'cache'), 'a file in the way')
    coe('version')
    coe('version', { COE_CACHE_DIR: '', HOME: '' })
    expect(readFileSync(join(home, 'cache'), 'utf8')).toBe('a file in the way')
    // a folder in which the system says "no such file" to everything: Node's own recursive mkdir never ends there
    coe('version', { COE_CACHE_DIR: '/proc/self/cache' })
  })
})
