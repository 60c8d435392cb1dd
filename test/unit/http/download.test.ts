import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { download } from '../../../src/http/download.ts'
import { failureOf } from '../../support/kube.ts'
import { startProxy } from '../../support/proxy.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const settings = { env: {}, userAgent: 'coe/test' }
const bytes = Buffer.from([0x1f, 0x8b, 0xff, 0x00, 0xfe])

describe('a download', () => {
  it('returns the exact bytes, follows redirects to other servers, and keeps the query', async () => {
    const urls: string[] = []
    const store = await serve((request, response) => {
      urls.push(String(request.url))
      response.end(bytes)
    })
    const front = await serve((_, response) =>
      response.writeHead(302, { location: `${store}/file?sig=a%2Fb` }).end('moved'),
    )
    expect((await download(`${front}/release`, settings)).equals(bytes)).toBe(true)
    expect(urls).toEqual(['/file?sig=a%2Fb'])
  })

  it('names the address of a missing file', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('no'))
    expect((await failureOf(download(`${url}/x`, settings))).message).toBe(`${url}/x answered with HTTP 404`)
  })

  it('does not follow redirects in a circle', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/again' }).end())
    expect((await failureOf(download(url, settings))).message).toContain('redirects more than 5 times')
  })

  it('ends at the size limit', async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(3_000_000)))
    expect((await failureOf(download(url, { ...settings, largest: 1 << 20 }))).message).toContain(
      'is larger than 1 MiB',
    )
  })

  it('names its address when it breaks off, and requests a signed address to the letter', async () => {
    const urls: string[] = []
    const url = await serve((request, response) => {
      urls.push(String(request.url))
      response.writeHead(200, { 'content-length': '1000' })
      response.write('begun', () => response.destroy())
    })
    const error = await failureOf(download(`${url}/x?name=a%20b&part=1&part=2`, settings))
    expect(error.message).toMatch(new RegExp(`^127.0.0.1:\\d+ closed the connection .*\\(${url}/x, ECONNRESET\\)$`))
    expect(urls).toEqual(['/x?name=a%20b&part=1&part=2'])
  })

  it("goes through the environment's proxy, and applies NO_PROXY to each redirect", async () => {
    const proxy = await startProxy({ tunnelsTo: [443] })
    const store = await serve((_, response) => response.end(bytes))
    const named = store.replace('127.0.0.1', 'localhost')
    const front = await serve((_, response) => response.writeHead(302, { location: `${named}/file` }).end())
    const env = { http_proxy: proxy.url, no_proxy: 'localhost' }
    expect((await download(`${front}/release`, { ...settings, env })).equals(bytes)).toBe(true)
    expect(proxy.asked).toEqual([`GET ${front}/release`])
    const strict = await startProxy({ login: 'me:pass' })
    const failure = await failureOf(download(`${front}/release`, { ...settings, env: { http_proxy: strict.url } }))
    expect(failure.message).toContain('requires a user name and a password (HTTP 407)')
    proxy.close()
    strict.close()
  })
})
