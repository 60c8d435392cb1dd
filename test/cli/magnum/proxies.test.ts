/** Proxies from the environment: used, bypassed, refused, and never told a secret. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bypasses, proxyFor } from '../../../src/http/proxy.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { startProxy, type TestProxy } from '../../support/proxy.ts'

let cloud: TestCloud
let plain: TestCloud
let proxy: TestProxy

beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  plain = await startCloud({ clusters: 1, tls: false })
  proxy = await startProxy()
})
afterAll(async () => {
  proxy.close()
  await Promise.all([cloud.close(), plain.close()])
})
beforeEach(() => {
  proxy.asked.length = 0
})

describe('a proxy of the environment', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])('is used: %s', async name => {
    const result = await cloud.run('cluster list -f name', {
      env: { [name]: proxy.url, COE_TOKEN_CACHE: 'false' },
    })
    expect(result).toMatchObject({ code: 0, out: 'cluster1\n' })
    expect(proxy.asked).toEqual(
      [cloud.sandbox.authUrl, cloud.sandbox.magnumUrl].map(url => `CONNECT ${new URL(url).host}`),
    )
  })

  it('is given its password, which is in no stream', async () => {
    const env = { HTTPS_PROXY: `http://me:proxy-password@${proxy.host}` }
    const result = await cloud.run('cluster list -f name --debug', { env, secrets: ['proxy-password'] })
    expect(result.code).toBe(0)
    expect(proxy.asked.join()).toContain('Basic')
  })

  it('is bypassed for NO_PROXY', async () => {
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: 'example.com,127.0.0.0/8' }
    expect((await cloud.run('cluster list -f name', { env })).code).toBe(0)
    expect(proxy.asked).toEqual([])
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

/** So that the login goes through the proxy each time. */
const env = { COE_TOKEN_CACHE: 'false' }

describe('http:// behind a proxy', () => {
  it('is asked for by the whole address, where tunnels lead to port 443 alone', async () => {
    const squid = await startProxy({ tunnelsTo: [443] })
    const result = await plain.run('cluster list -f name', { env: { ...env, http_proxy: squid.url } })
    squid.close()
    expect(result).toMatchObject({ code: 0, out: 'cluster1\n', err: '' })
    expect(squid.asked).toEqual([
      `POST ${plain.sandbox.authUrl}/auth/tokens`,
      `GET ${plain.sandbox.magnumUrl}/clusters`,
    ])
  })

  it('goes straight to whom NO_PROXY names', async () => {
    const result = await plain.run('cluster list -f name', {
      env: { ...env, http_proxy: proxy.url, no_proxy: 'localhost,127.0.0.1' },
    })
    expect(result.code).toBe(0)
    expect(proxy.asked).toEqual([])
  })

  it('shows the login to the proxy alone, odd characters and all', async () => {
    const login = 'me:p%@ss/wörd'
    const strict = await startProxy({ login })
    const address = `http://me:p%25%40ss%2Fw%C3%B6rd@${strict.host}`
    const secrets = ['p%@ss/wörd', 'p%25%40ss%2Fw%C3%B6rd']
    const good = await plain.run('cluster list -f name --debug', { env: { ...env, http_proxy: address }, secrets })
    expect(good).toMatchObject({ code: 0, out: 'cluster1\n' })
    expect(strict.asked.every(line => line.endsWith(Buffer.from(login).toString('base64')))).toBe(true)
    strict.close()
  })

  it('that is not reached through the proxy: says who could not reach whom', async () => {
    const { code, err } = await plain.run('cluster list', {
      env: { ...env, http_proxy: proxy.url, OS_AUTH_URL: 'http://127.0.0.1:1/v3' },
    })
    expect(code).toBe(1)
    expect(err).toContain(`the proxy ${proxy.url} could not reach 127.0.0.1:1 (HTTP 503, ERR_CONNECT_FAIL)`)
  })

  it('is what doctor tries, too', async () => {
    const squid = await startProxy({ tunnelsTo: [443] })
    const { code, out } = await plain.run('doctor -f json', { env: { ...env, http_proxy: squid.url } })
    squid.close()
    expect(code).toBe(0)
    expect(out).toContain('(proxy)')
    expect(squid.asked.filter(line => line.startsWith('CONNECT'))).toEqual([])
    expect(squid.asked).toContain(`GET ${plain.sandbox.authUrl}`)
  })
})

describe('a proxy that refuses', () => {
  const clouds = () =>
    [
      ['http_proxy', plain],
      ['https_proxy', cloud],
    ] as const

  it('whoever does not log in: exit 4, and where the login is written', async () => {
    const strict = await startProxy({ login: 'me:proxy-password' })
    for (const [name, of] of clouds()) {
      const none = await of.run('cluster list', { env: { ...env, [name]: strict.url } })
      expect(none.code).toBe(4)
      expect(none.err).toContain(`the proxy ${strict.url} requires a user name and a password (HTTP 407)`)
      expect(none.err).toContain(`USER:PASSWORD@${strict.host}`)
      const wrong = { ...env, [name]: `http://me:not-the-password@${strict.host}` }
      const refused = await of.run('cluster list', { env: wrong, secrets: ['not-the-password'] })
      expect(refused.code).toBe(4)
      expect(refused.err).toContain('refused the user name and password in its address (HTTP 407)')
    }
    strict.close()
  })

  it('a name and a password altogether: says what it wants', async () => {
    const kerberos = await startProxy({ login: 'x:y', schemes: 'Negotiate, NTLM' })
    for (const [name, of] of clouds()) {
      const { code, err } = await of.run('cluster list', { env: { ...env, [name]: kerberos.url } })
      expect(code).toBe(4)
      expect(err).toContain('requires a login by Negotiate or NTLM')
    }
    kerberos.close()
  })

  it('a port: says which, and what can be done', async () => {
    const squid = await startProxy({ tunnelsTo: [443] })
    const { code, err } = await cloud.run('cluster list -f json', { env: { ...env, https_proxy: squid.url } })
    squid.close()
    expect(code).toBe(1)
    const { host } = new URL(cloud.sandbox.authUrl)
    expect(JSON.parse(err).error).toMatchObject({
      message: `the proxy ${squid.url} refused to connect to ${host} (HTTP 403, ERR_ACCESS_DENIED)`,
      hint: expect.stringContaining('port 443 alone'),
      errno: 'EPROXY',
      exit_code: 1,
    })
  })

  it('to say anything is not waited for without end', async () => {
    const sockets: { destroy(): void }[] = []
    const silent = createServer(socket => sockets.push(socket.on('error', () => {})))
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
    const { code, err } = await cloud.run('cluster list', {
      env: { ...env, https_proxy: address, OS_API_TIMEOUT: '1' },
    })
    for (const socket of sockets) socket.destroy()
    silent.close()
    expect(code).toBe(1)
    expect(err).toMatch(/Keystone did not answer within [\d.]+ s through the proxy/)
    expect(err).toContain(address)
  })
})

describe('Ctrl-C while the proxy is silent', () => {
  it('leaves no connection behind', async () => {
    const silent = createServer()
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const ctrlC = new AbortController()
    const address = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
    const run = cloud.run('cluster list', { env: { ...env, https_proxy: address }, interrupt: ctrlC.signal })
    const [socket] = (await once(silent, 'connection')) as [Socket]
    const closed = once(
      socket.resume().on('error', () => {}),
      'close',
    )
    ctrlC.abort()
    expect((await run).code).toBe(130)
    await closed
    silent.close()
  })
})

describe('a server with an IPv6 address', () => {
  it.each([true, false])('is reached through the proxy (TLS: %s)', async tls => {
    const six = await startCloud({ clusters: 1, host: '::1', tls })
    const result = await six.run('cluster list -f name', { env: { ALL_PROXY: proxy.url } })
    await six.close()
    expect(result).toMatchObject({ code: 0, out: 'cluster1\n' })
    expect(proxy.asked.length).toBeGreaterThan(1)
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
