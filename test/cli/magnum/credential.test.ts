import { describe, expect, it } from 'vitest'
import { startCloud } from '../../support/cloud.ts'

describe('coe credential rotate', () => {
  it('works on servers of 2025.2 and newer, and waits', async () => {
    const cloud = await startCloud({ clusters: 1, magnumMax: '1.12' })
    const asked = await cloud.run('credential rotate cluster1')
    expect(asked).toMatchObject({ code: 0, err: '' })
    expect(asked.out).toMatch(/^Request to rotate credentials for cluster [\da-f-]{36} accepted\.\n$/)
    await cloud.run('cluster wait cluster1')
    const waited = await cloud.run('credential rotate cluster1 --wait -f json')
    expect(waited.code).toBe(0)
    expect(JSON.parse(waited.out)).toMatchObject({ name: 'cluster1', status: 'UPDATE_COMPLETE' })
    const missing = await cloud.run('credential rotate cluster2')
    expect(missing.code).toBe(3)
    expect(missing.err).toContain('did you mean "cluster1"?')
    await cloud.close()
  })

  // difference: exit-on-failure
  // difference: versions-negotiated
  it('names the release that older servers lack, and fails where upstream exits 0', async () => {
    const cloud = await startCloud({ clusters: 1, magnumMax: '1.10' })
    const { code, err } = await cloud.run('credential rotate cluster1')
    expect(code).toBe(1)
    expect(err).toContain(
      'coe: the rotation of credentials needs API version 1.12, but this server supports 1.1 to 1.10',
    )
    expect(err).toContain('2025.2')
    await cloud.close()
  })
})
