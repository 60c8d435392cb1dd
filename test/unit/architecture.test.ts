/** docs/architecture.md leads to places that exist: each file, the symbol beside it, and every module. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { below } from '../support/arrows.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

const files = [...page.matchAll(/`((?:src|bin|build|test)\/[\w./-]+\.\w+)`/g)].map(m => m[1] as string)
/** A row with a file and, in the next cell, a symbol. */
const symbols = [...page.matchAll(/\| `((?:src|bin|build)\/[\w./-]+\.\w+)` \| `(\w+)` \|/g)].map(m => ({
  file: m[1] as string,
  symbol: m[2] as string,
}))
const modules = [...page.matchAll(/^\| `src\/(\w+)` \|/gm)].map(m => m[1] as string)

const defines = (file: string, symbol: string): boolean =>
  new RegExp(`^(?:export )?(?:async )?(?:function|const|interface|type) ${symbol}\\b`, 'm').test(
    readFileSync(join(root, file), 'utf8'),
  )

describe('docs/architecture.md', () => {
  it('names files that exist', () => {
    expect(files.length).toBeGreaterThan(30)
    expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
  })

  it('names symbols that are defined there', () => {
    expect(symbols.length).toBeGreaterThan(30)
    expect(symbols.filter(s => !defines(s.file, s.symbol))).toEqual([])
  })

  it('names every module, and no other', () => {
    const there = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory())
    expect([...modules].sort()).toEqual(there.map(entry => entry.name).sort())
  })

  it('says of each folder what the imports are held to', () => {
    const rows = [...page.matchAll(/^\| `src\/(\w+)` \| .* \|([^|]*)\|$/gm)]
    const written = Object.fromEntries(
      rows
        .filter(([, folder]) => folder !== 'wiring')
        .map(([, folder = '', uses = '']) => [
          folder,
          uses
            .trim()
            .split(/, */)
            .filter(word => /^[a-z]+$/.test(word))
            .sort(),
        ]),
    )
    const { main: _, wiring: _all, ...held } = below
    expect(written).toEqual(
      Object.fromEntries(Object.entries(held).map(([folder, uses]) => [folder, [...uses].sort()])),
    )
  })
})
