import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect as dial } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectCluster, inlineAccess } from '../../../src/kube/access/connect.ts'
import { createCa, issue } from '../../../src/pki/certificates.ts'
import { generateKey, privateKeyPem } from '../../../src/pki/keys.ts'
import { json } from '../../../src/sandbox/http.ts'
import { type Listener, listen } from '../../../src/sandbox/listener.ts'
import { connectOptions, failureOf, kubeWorld } from '../../support/kube.ts'

let server: Listener
let ca: string

beforeAll(async () => {
  const validity = { now: Date.now(), days: 1 }
  const authority = await generateKey()
  ca = createCa({ ...validity, subject: [['CN', 'test CA']] }, authority.privateKey)
  const key = await generateKey()
  const profile = { ...validity, subject: [['CN', 'kube']] as const, dnsNames: ['inner.example'] }
  const cert = issue(profile, key.publicKey, { certificate: ca, key: authority.privateKey })
  const handler = (request: { path: string }) => json(200, { major: '1', minor: '34', gitVersion: request.path })
  server = await listen({ name: 'kube', tls: { key: privateKeyPem(key.privateKey), cert }, handler })
})
afterAll(() => server.close())

const connect = (more: object, options = {}) =>
  connectCluster(inlineAccess({ name: 'c7', server: server.url, ca, ...more }), connectOptions(options))

describe('TLS', () => {
  test('a certificate for another name is refused, unless the kubeconfig says which to expect', async () => {
    const error = await failureOf(connect({}).version())
    expect(error.message).toContain('the API server of "c7" presents a certificate that is for another name')
    expect(error.message).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
    expect((await connect({ tlsServerName: 'inner.example' }).version()).major).toBe('1')
  })

  test('an authority that nobody named is refused, unless verification is off', async () => {
    expect((await failureOf(connect({ ca: undefined, tlsServerName: 'inner.example' }).version())).exitCode).toBe(1)
    expect((await connect({ ca: undefined, insecure: true }).version()).major).toBe('1')
  })
})

test('a server below a path keeps its path', async () => {
  const api = connect({ server: `${server.url}/k8s/clusters/c-1/`, tlsServerName: 'inner.example' })
  expect((await api.version()).gitVersion).toBe('/k8s/clusters/c-1/version')
})

test('a server that is not there is told with name, address and reason; the next look may succeed', async () => {
  const api = connectCluster(inlineAccess({ name: 'gone', server: 'http://127.0.0.1:1' }), connectOptions())
  const error = await failureOf(api.version())
  expect(error.message).toMatch(
    /^the API server of "gone" refused the connection \(http:\/\/127.0.0.1:1\/version, ECONNREFUSED\)/,
  )
  expect(error.exitCode).toBe(1)
})

describe('proxies', () => {
  let proxy: Server
  let url: string
  let asked: string[] = []
  beforeAll(async () => {
    proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '')
      const { hostname, port } = new URL(`http://${request.url}`)
      const onward = dial(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  afterAll(() => proxy.closeAllConnections())

  test('proxy-url of the kubeconfig is used, whatever the environment says', async () => {
    asked = []
    const world = kubeWorld({ env: { no_proxy: '*' } })
    await connect({ proxyUrl: url, tlsServerName: 'inner.example' }, { world }).version()
    expect(asked).toEqual([new URL(server.url).host])
  })

  test('else HTTPS_PROXY, but for what NO_PROXY exempts', async () => {
    asked = []
    await connect({ tlsServerName: 'inner.example' }, { world: kubeWorld({ env: { HTTPS_PROXY: url } }) }).version()
    const world = kubeWorld({ env: { HTTPS_PROXY: url, NO_PROXY: '127.0.0.0/8' } })
    await connect({ tlsServerName: 'inner.example' }, { world }).version()
    expect(asked).toHaveLength(1)
  })
})
