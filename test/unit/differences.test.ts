/** docs/differences.md and the tests name the same ids: no difference without a test, no id that means nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(join(root, 'docs/differences.md'), 'utf8')

/** The ids of the tables, by the heading that they stand under. */
const listed = page.split(/^## /m).flatMap(section => {
  const [heading = ''] = section.split('\n')
  return [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(m => ({ id: m[1] as string, heading }))
})

const named = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('differences.test.ts'))
  .flatMap(path => {
    const text = readFileSync(join(root, 'test', path), 'utf8')
    return [...text.matchAll(/difference:? ([a-z]+(?:-[a-z]+)+)/g)].map(m => ({ id: m[1] as string, path }))
  })

describe('differences from the stock client', () => {
  it('have an id of their own', () => {
    const ids = listed.map(l => l.id)
    expect(ids.length).toBeGreaterThan(30)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  it('are each named in a test', () => {
    expect(listed.map(l => l.id).filter(id => !named.some(n => n.id === id))).toEqual([])
  })

  it('are listed when a test names them', () => {
    expect(named.filter(n => !listed.some(l => l.id === n.id))).toEqual([])
  })

  it('of JSON are few', () => {
    const json = listed.filter(l => l.heading.includes('json'))
    expect(json.length).toBeGreaterThan(0)
    expect(json.length).toBeLessThanOrEqual(15)
  })
})
