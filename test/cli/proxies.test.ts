/** Proxies from the environment: used, bypassed, refused, and never told a secret. */
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bypasses, proxyFor } from '../../src/http/proxy.ts'
import { startCloud, type TestCloud } from '../support/cloud.ts'

let cloud: TestCloud
let proxy: Server
let address: string
const asked: string[] = []

beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  proxy = createServer()
  proxy.on('connect', (request, socket, head) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    const [host, port] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(proxy.address() as { port: number }).port}`
})
afterAll(async () => {
  proxy.close()
  await cloud.close()
})
beforeEach(() => {
  asked.length = 0
})

describe('a proxy of the environment', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])('is used: %s', async name => {
    const result = await cloud.run('cluster list -f name', {
      env: { [name]: `http://${address}`, COE_TOKEN_CACHE: 'false' },
    })
    expect(result).toMatchObject({ code: 0, out: 'cluster1\n' })
    expect(asked).toEqual([new URL(cloud.sandbox.authUrl).host, new URL(cloud.sandbox.magnumUrl).host])
  })

  it('is given its password, which is in no stream', async () => {
    const env = { HTTPS_PROXY: `http://me:proxy-password@${address}` }
    const result = await cloud.run('cluster list -f name --debug', { env, secrets: ['proxy-password'] })
    expect(result.code).toBe(0)
    expect(asked.join()).toContain('Basic')
  })

  it('is bypassed for NO_PROXY', async () => {
    const env = { HTTPS_PROXY: `http://${address}`, NO_PROXY: 'example.com,127.0.0.0/8' }
    expect((await cloud.run('cluster list -f name', { env })).code).toBe(0)
    expect(asked).toEqual([])
  })

  it('that is not there: says so', async () => {
    const { code, err } = await cloud.run('cluster list', { env: { HTTPS_PROXY: 'http://127.0.0.1:1' } })
    expect(code).toBe(1)
    expect(err).toMatch(/ECONNREFUSED/)
  })

  it('that is no HTTP proxy: exit 2', async () => {
    const { code, err } = await cloud.run('cluster list', {
      env: { HTTPS_PROXY: 'socks5://me:proxy-password@127.0.0.1:1080' },
      secrets: ['proxy-password'],
    })
    expect(code).toBe(2)
    expect(err).toContain('is not an HTTP proxy')
  })

  it('that is no address: exit 2', async () => {
    const { code, err } = await cloud.run('cluster list', {
      env: { HTTPS_PROXY: 'http://me:proxy-password@[bad' },
      secrets: ['proxy-password'],
    })
    expect(code).toBe(2)
    expect(err).toContain('the proxy http://[bad is not an address')
  })
})

describe('NO_PROXY', () => {
  it.each([
    ['*', 'any.example.com', true],
    ['example.com', 'example.com', true],
    ['example.com', 'api.example.com', true],
    ['.example.com', 'api.example.com', true],
    ['*.example.com', 'api.example.com', true],
    ['example.com', 'notexample.com', false],
    ['example.com:8443', 'example.com', false],
    ['example.com:443', 'example.com', true],
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['fd00::/8', '[fd00::1]', true],
    ['10.0.0.0/99', '10.1.2.3', false],
    ['10.0.0.0/', '10.1.2.3', false],
    ['other.com, EXAMPLE.com', 'Example.Com', true],
    ['', 'example.com', false],
  ])('%s and %s: %s', (list, host, expected) => {
    expect(bypasses(list, host, '443')).toBe(expected)
  })

  it('lets the lower-case variable win, and http:// have a proxy of its own', () => {
    const env = { https_proxy: 'http://low', HTTPS_PROXY: 'http://high', http_proxy: 'http://plain' }
    expect(proxyFor('https://k/v3', env)).toBe('http://low')
    expect(proxyFor('http://k/v3', env)).toBe('http://plain')
    expect(proxyFor('https://k/v3', {})).toBeUndefined()
  })
})
