import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud()
})
afterAll(() => cloud.close())

describe('coe service list', () => {
  it('shows the conductors to administrators', async () => {
    const { code, out } = await cloud.as('admin', 'admin')('service list -f json')
    expect(code).toBe(0)
    const [first] = JSON.parse(out)
    expect(Object.keys(first)).toEqual([
      ...['id', 'host', 'binary', 'state', 'disabled', 'disabled_reason', 'created_at', 'updated_at'],
    ])
    expect(first).toMatchObject({
      id: 1,
      binary: 'magnum-conductor',
      state: 'up',
      disabled: false,
      disabled_reason: null,
    })
  })

  it('refuses others', async () => {
    const { code, err } = await cloud.run('service list')
    expect(code).toBe(4)
    expect(err).toContain('coe auth status')
  })
})
