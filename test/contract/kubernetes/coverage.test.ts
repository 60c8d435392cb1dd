/** Each method of a connected cluster has a case in this contract. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { connectCluster, inlineAccess } from '../../../src/kube/access/connect.ts'
import { world } from './contexts.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const cases = readdirSync(here)
  .filter(name => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .flatMap(name =>
    readFileSync(`${here}${name}`, 'utf8')
      .split(/^(?=describe)/m)
      .slice(1),
  )
  .join('')

const api = connectCluster(inlineAccess({ name: 'x', server: 'https://x.invalid' }), { world, userAgent: 'x' })
const verbs = Object.entries(api).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))

describe('the contract of Kubernetes', () => {
  it('knows the verbs', () => expect(verbs).toEqual(expect.arrayContaining(['apply', 'watch', 'canI', 'raw'])))

  it.each(verbs)('has a case of %s', verb => {
    expect(cases).toMatch(new RegExp(`\\b(api|stranger|maker|reader)\\.${verb}(<\\w+>)?\\(`))
  })

  it.each(['get', 'list', 'create', 'apply', 'update', 'patch', 'delete', 'deleteAll', 'watch'])(
    'has a case of %s that is refused without a role',
    verb => expect(cases).toMatch(new RegExp(`\\bnobody\\.${verb}\\(`)),
  )
})
