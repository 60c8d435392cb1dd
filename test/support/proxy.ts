/** A proxy as Squid is by default: http:// by the whole address, CONNECT to the ports that are allowed, and a login if one is wanted. */
import { createServer, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export interface ProxyOptions {
  /** `USER:PASSWORD`: whoever does not give these gets a 407. */
  login?: string
  /** To which ports a tunnel may lead; to all when absent. */
  tunnelsTo?: readonly number[]
  /** What a 407 offers. */
  schemes?: string
}

export interface TestProxy {
  url: string
  host: string
  /** The request lines, each with what logged in to the proxy. */
  asked: string[]
  close(): void
}

export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = []
  const { login, tunnelsTo, schemes = 'Basic realm="proxy"' } = options
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
  const server = createServer((request, response) => {
    const { 'proxy-authorization': authorization, ...headers } = request.headers
    asked.push([request.method, request.url, authorization].filter(Boolean).join(' '))
    if (!URL.canParse(request.url ?? ''))
      return void response.writeHead(400, { 'x-squid-error': 'ERR_INVALID_URL 0' }).end()
    if (wanted !== undefined && authorization !== wanted) {
      return void response.writeHead(407, { 'proxy-authenticate': schemes }).end('<html>login</html>')
    }
    const onward = send(request.url ?? '', { method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(503, { 'x-squid-error': 'ERR_CONNECT_FAIL 111' }).end('<html></html>'))
    request.pipe(onward)
  })
  server.on('connect', (request, socket, head) => {
    asked.push(['CONNECT', request.url, request.headers['proxy-authorization']].filter(Boolean).join(' '))
    const refuse = (line: string) => socket.end(`HTTP/1.1 ${line}\r\n\r\n`)
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      return refuse(`407 Proxy Authentication Required\r\nProxy-Authenticate: ${schemes}`)
    }
    const { hostname, port } = new URL(`http://${request.url}`)
    if (tunnelsTo && !tunnelsTo.includes(Number(port)))
      return refuse('403 Forbidden\r\nX-Squid-Error: ERR_ACCESS_DENIED 0')
    const onward = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () =>
      onward.connecting ? refuse('503 Service Unavailable\r\nX-Squid-Error: ERR_CONNECT_FAIL 111') : socket.destroy(),
    )
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
