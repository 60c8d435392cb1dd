import { createServer } from 'node:net'
import got from 'got'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transportError } from '../../../src/http/failure.ts'

describe('a request that ran out of time', () => {
  const silent = createServer()
  let port = 0
  beforeAll(async () => {
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    port = (silent.address() as { port: number }).port
  })
  afterAll(() => silent.close())

  it('names the limit that expired, not that of the complete request, and asks about https://', async () => {
    const url = `https://127.0.0.1:${port}/v3`
    const timeout = { secureConnect: 1_000, request: 60_000 }
    const error = await got(url, { timeout, retry: { limit: 0 } }).catch(e => e)
    const { message, hint } = transportError(error, { name: 'Keystone', url }, 60_000)
    expect(message).toBe(`Keystone did not answer within 1 s (${url})`)
    expect(hint).toContain('is it http:// rather than https://?')
  })
})
