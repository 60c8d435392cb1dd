/** Each request that coe can send to OpenStack has a case that works, and one that is refused. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const api = folder('../../../src/openstack/magnum-api/')
const here = folder('./')

/** Helpers that send no requests of their own. */
const serving = new Set(['listAll', 'jsonPatch', 'retryHalfDeleted', 'versionRange', 'v3Path', 'segment', 'getOne'])

async function exportedFunctions(file: string): Promise<string[]> {
  const exported: Record<string, unknown> = await import(file)
  return Object.keys(exported).filter(name => typeof exported[name] === 'function' && !serving.has(name))
}

const magnum = readdirSync(api).flatMap(name => (name === 'shapes.ts' ? [] : `${api}${name}`))
const keystone = [folder('../../../src/openstack/keystone.ts')]
const requests = (await Promise.all([...magnum, ...keystone].map(exportedFunctions))).flat()

/** The text of the blocks whose title begins with the name of the request. */
const blocks = readdirSync(here)
  .filter(name => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .flatMap(name => readFileSync(`${here}${name}`, 'utf8').split(/^(?=describe)/m))
const casesOf = (request: string) =>
  blocks
    .flatMap(block => (titleOf(block).startsWith('only the sandbox') ? block.split(/^ {2}(?=it)/m) : [block]))
    .filter(block => new RegExp(`^${request}\\b`).test(titleOf(block)))
    .join('')
const titleOf = (block: string): string => /^(?:describe|it)\b[^'`]*['`]([^'`]*)/.exec(block)?.[1] ?? ''

describe('the contract of OpenStack', () => {
  it('knows the requests', () => {
    expect(requests).toEqual(
      expect.arrayContaining(['requestToken', 'revokeToken', 'createCluster', 'rotateCredential']),
    )
    expect(requests.length).toBeGreaterThan(30)
  })

  it.each(requests)('has a case of %s that works, and one that is refused', request => {
    const cases = casesOf(request)
    expect(cases, 'a case that works').toMatch(new RegExp(`(?<!refusal(Error)?\\()\\b${request}\\(`))
    expect(cases, 'a case that is refused').toMatch(/refus/)
  })
})
