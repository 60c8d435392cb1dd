import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import { runCoe } from '../support/run.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ tls: false, magnumMin: '1.1', magnumMax: '1.11' })
})
afterAll(() => cloud.close())

describe('coe version', () => {
  it('works with everything else broken', async () => {
    const { code, out } = await runCoe('version', { env: { OS_CLOUD: 'nope', COE_MODE: 'nonsense' } })
    expect(code).toBe(0)
    expect(out).toMatch(/^coe \S+ \(commit \S+, node v20\.20\.2, linux-x64\)\n$/)
  })

  it('is an object for machines', async () => {
    const { out } = await runCoe('version -f json')
    expect(Object.keys(JSON.parse(out))).toEqual(['version', 'commit', 'node', 'platform'])
  })

  it('asks Magnum with --server', async () => {
    const { out } = await cloud.run('version --server -f json')
    expect(JSON.parse(out)).toMatchObject({
      magnum_endpoint: cloud.sandbox.magnumUrl,
      magnum_min_version: '1.1',
      magnum_max_version: '1.11',
    })
    expect((await cloud.run('version --server')).out).toContain(`Magnum API 1.1 to 1.11 (${cloud.sandbox.magnumUrl})`)
  })
})
