/** What every list of Magnum takes: a page of it, and the order that the server gives it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'

let cloud: TestCloud
let marker: string
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  marker = (await cloud.run('cluster template list -f value -c uuid')).out.trim()
})
afterAll(() => cloud.close())

describe.each([
  ['cluster template list', '/v1/clustertemplates', 'demo'],
  ['nodegroup list cluster1', '/nodegroups', 'demo'],
  ['quotas list', '/v1/quotas', 'admin'],
])('coe %s', (line, path, user) => {
  it.each([
    ['--limit 1', { limit: '1' }],
    ['--sort-key created_at --sort-dir desc', { sort_key: 'created_at', sort_dir: 'desc' }],
    ['--marker MARKER', { marker: 'MARKER' }],
  ])('hands on %s', async (given, expected) => {
    const id = line.startsWith('quotas') ? '1' : marker // quotas have numbers
    cloud.sandbox.log.clear()
    await cloud.as(user, user)(`${line} ${given.replace('MARKER', id)}`)
    const asked = cloud.sandbox.log.all().find(entry => entry.url.includes(path) && entry.method === 'GET')
    const query = Object.fromEntries(new URL(asked?.url ?? '', 'http://sandbox').searchParams)
    const wanted = Object.entries(expected).map(([key, value]) => [key, value.replace('MARKER', id)])
    expect(query).toMatchObject(Object.fromEntries(wanted))
  })
})
