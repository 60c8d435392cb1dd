/** What servers and the networks before them do wrong: a clear error or a right answer, in bounded time, without a secret or a stack. */
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FaultOrder } from '../../../src/sandbox/faults.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import type { RunResult } from '../../support/run.ts'

let cloud: TestCloud
beforeEach(async () => {
  cloud = await startCloud({ clusters: 2 })
})
afterEach(() => cloud.close())

const list = { service: 'magnum', path: /^\/v1\/clusters/ }
const login = { service: 'keystone', path: /auth\/tokens/ }

function expectClearFailure(result: RunResult, code: number, ...says: (string | RegExp)[]): void {
  expect(result.out).toBe('')
  expect(result.err).toMatch(/^coe: /m)
  for (const text of says) expect(result.err).toMatch(text)
  expect(result.err).not.toMatch(/\bat .*\.(ts|js):\d+|this is a bug/)
  expect(result.code).toBe(code)
}

describe('an answer that is none', () => {
  const cases: [string, FaultOrder, number, ...RegExp[]][] = [
    [
      'HTML from a proxy',
      { ...list, effect: { kind: 'garbage' } },
      1,
      /web page, not JSON/,
      /is there a proxy in between/,
    ],
    [
      'half a JSON body',
      { ...list, effect: { kind: 'garbage', bytes: '{"clusters": [{"uu', contentType: 'application/json' } },
      1,
      /cut off or damaged/,
    ],
    [
      'nothing',
      { ...list, effect: { kind: 'garbage', bytes: '', contentType: 'application/json' } },
      1,
      /answered with an empty body instead of JSON/,
    ],
    [
      'an array where an object belongs',
      { ...list, effect: { kind: 'garbage', bytes: 'null', contentType: 'application/json' } },
      1,
      /it is null where an object was expected/,
    ],
    ['413', { ...list, effect: { kind: 'answer', status: 413 } }, 1, /too large.*HTTP 413/],
    ['500 for ever', { ...list, times: 9, effect: { kind: 'answer', status: 500 } }, 1, /the server failed.*HTTP 500/],
    [
      '502 for ever',
      { ...list, times: 9, effect: { kind: 'answer', status: 502, body: '<html>Bad gateway</html>' } },
      1,
      /HTTP 502/,
      /hint: /,
    ],
    [
      'a redirect',
      { ...list, effect: { kind: 'redirect', to: 'https://elsewhere.invalid/v1/clusters' } },
      1,
      /redirects to https:\/\/elsewhere.invalid/,
    ],
    ['HTML from Keystone', { ...login, effect: { kind: 'garbage' } }, 1, /web page|not a Keystone/],
    [
      'Keystone 503 for ever',
      { ...login, times: 9, effect: { kind: 'answer', status: 503 } },
      1,
      /not available now.*HTTP 503/,
    ],
  ]
  it.each(cases)('%s', async (_name, order, code, ...says) => {
    cloud.sandbox.faults.order(order)
    expectClearFailure(await cloud.run('cluster list'), code, ...says)
  })

  // difference: repeated-requests
  it('is followed by another try where that is safe: 429 with Retry-After, 503, a reset', async () => {
    for (const effect of [
      { kind: 'answer', status: 429, headers: { 'Retry-After': '0' } },
      { kind: 'answer', status: 503 },
      { kind: 'reset-before' },
    ] as FaultOrder['effect'][]) {
      cloud.sandbox.faults.order({ ...list, effect })
      const { code, out } = await cloud.run('cluster list -f value -c name')
      expect({ code, out, effect }).toEqual({ code: 0, out: 'cluster1\ncluster2\n', effect })
    }
  })

  it('that breaks off is an error, not a short list', async () => {
    cloud.sandbox.faults.order({ ...list, times: 9, effect: { kind: 'truncate', bytes: 40 } })
    expectClearFailure(await cloud.run('cluster list'), 1, /Magnum/)
  })

  it('that never ends is given up', async () => {
    cloud.sandbox.faults.order({ ...list, times: 9, effect: { kind: 'stall', bytes: 40, dripMs: 100 } })
    const result = await cloud.run('cluster list', { env: { OS_API_TIMEOUT: '1' } })
    expectClearFailure(result, 1, /did not answer within 1 s/)
  })
})

describe('the token', () => {
  // difference: redirects-refused
  it('does not follow a redirect to another origin', async () => {
    const heard: string[] = []
    const other = createServer(socket => socket.on('data', d => heard.push(d.toString())))
    const port = await listening(other)
    cloud.sandbox.faults.order({
      ...list,
      effect: { kind: 'redirect', to: `http://127.0.0.1:${port}/v1/clusters`, status: 307 },
    })
    expectClearFailure(await cloud.run('cluster list'), 1, /redirects to/)
    expect(heard).toEqual([])
    other.close()
  })

  it('that has expired meanwhile is replaced, and the request sent again', async () => {
    await cloud.run('cluster list')
    cloud.sandbox.openstack.tokens.revokeAll()
    cloud.sandbox.log.clear()
    expect((await cloud.run('cluster list -f name')).code).toBe(0)
    expect(cloud.sandbox.log.all().map(e => `${e.method} ${e.url} ${e.status}`)).toEqual([
      'GET /v1/clusters 401',
      'POST /v3/auth/tokens 201',
      'GET /v1/clusters 200',
    ])
  })

  it('is asked for twice at most', async () => {
    cloud.sandbox.faults.order({ ...list, times: 9, effect: { kind: 'answer', status: 401 } })
    expectClearFailure(await cloud.run('cluster list'), 4, /HTTP 401/)
    expect(cloud.sandbox.log.all().filter(e => e.url.startsWith('/v3/auth/tokens'))).toHaveLength(2)
  })

  it.each(['-v', '--debug', '--trace'])('is in no stream with %s, nor is the password', async level => {
    const result = await cloud.run(`cluster list ${level}`)
    expect(result.code).toBe(0)
    const [kept] = await readdir(join(cloud.home, '.cache/coe/tokens'))
    const { token } = JSON.parse(await readFile(join(cloud.home, '.cache/coe/tokens', kept as string), 'utf8'))
    expect(token).toMatch(/^gAAAA/)
    expect(result.out + result.err).not.toContain(token)
    expect(result.err).not.toContain('sandbox-password')
  })

  // difference: tokens-kept
  it('is kept in a file that nobody else may read', async () => {
    await cloud.run('cluster list')
    const folder = join(cloud.home, '.cache/coe/tokens')
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })
})

describe('the connection', () => {
  it('refused: says where', async () => {
    const result = await cloud.run('cluster list', { env: { OS_AUTH_URL: 'https://127.0.0.1:1/v3' } })
    expectClearFailure(
      result,
      1,
      /Keystone refused the connection \(https:\/\/127\.0\.0\.1:1.*ECONNREFUSED/,
      /hint: is the service running/,
    )
  })

  it('refused: under -f json the kind of failure, and what the system calls it', async () => {
    const env = { OS_AUTH_URL: 'https://127.0.0.1:1/v3' }
    const { err } = await cloud.run('cluster list -f json', { env })
    expect(JSON.parse(err).error).toMatchObject({ code: 'failed', exit_code: 1, errno: 'ECONNREFUSED' })
  })

  it('to a name that does not exist: says so', async () => {
    const result = await cloud.run('cluster list', { env: { OS_AUTH_URL: 'https://keystone.invalid/v3' } })
    expectClearFailure(result, 1, /cannot be resolved/)
  })

  it('to something that does not speak TLS', async () => {
    const other = createServer(socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    const port = await listening(other)
    const result = await cloud.run('cluster list', { env: { OS_AUTH_URL: `https://127.0.0.1:${port}/v3` } })
    expectClearFailure(result, 1, /does not speak TLS/)
    other.close()
  })

  it('to something that does not speak HTTP', async () => {
    const other = createServer(socket => socket.end('220 mail.example.com ESMTP\r\n'))
    const port = await listening(other)
    const result = await cloud.run('cluster list', { env: { OS_AUTH_URL: `http://127.0.0.1:${port}/v3` } })
    expectClearFailure(result, 1, /does not speak HTTP|the request to .+ failed/)
    other.close()
  })

  // difference: tls-store
  it('with a certificate nobody vouches for: how to trust it', async () => {
    const result = await cloud.run('cluster list', { env: { OS_CACERT: undefined } })
    expectClearFailure(result, 1, /no known authority signed/, /--os-cacert/)
  })

  it('that an authority signed which every program is told to trust', async () => {
    const trusting = async (env: Record<string, string>) =>
      cloud.run('cluster list -f name', { env: { OS_CACERT: undefined, COE_TOKEN_CACHE: 'false', ...env } })
    const { caFile, home } = cloud
    for (const variable of ['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE']) {
      expect(await trusting({ [variable]: caFile })).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n' })
    }
    // a folder as OpenSSL keeps one
    const folder = join(home, 'certs')
    await mkdir(folder)
    await copyFile(caFile, join(folder, 'mine.pem'))
    const bare = await trusting({ REQUESTS_CA_BUNDLE: folder })
    expectClearFailure(bare, 1, /the CA folder .* holds no certificates by their hashes/)
    await copyFile(caFile, join(folder, '0123abcd.0'))
    expect((await trusting({ REQUESTS_CA_BUNDLE: folder })).code).toBe(0)
    // another authority is no reason not to trust what Node was told to trust
    const other = await startCloud({ clusters: 0 })
    const both = { REQUESTS_CA_BUNDLE: other.caFile, NODE_EXTRA_CA_CERTS: caFile }
    expectClearFailure(await trusting({ REQUESTS_CA_BUNDLE: other.caFile }), 1, /no known authority signed/)
    expect((await trusting(both)).code).toBe(0)
    expect((await trusting({ ...both, NODE_EXTRA_CA_CERTS: '/nowhere.pem' })).code).toBe(1)
    await other.close()
    const missing = await trusting({ REQUESTS_CA_BUNDLE: '/nowhere.pem' })
    expectClearFailure(missing, 1, /cannot read the CA file \/nowhere\.pem \(from REQUESTS_CA_BUNDLE\): ENOENT/)
  })

  it('not verified when the user says so, with a warning', async () => {
    const result = await cloud.run('cluster list --insecure -f name', { env: { OS_CACERT: undefined } })
    expect(result).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n' })
    expect(result.err).toMatch(/not verified/)
  })

  it('over IPv6', async () => {
    const six = await startCloud({ clusters: 1, host: '::1' })
    expect(await six.run('cluster list -f name')).toMatchObject({ code: 0, out: 'cluster1\n' })
    await six.close()
  })
})

describe('who one is', () => {
  it('wrong password', async () => {
    const result = await cloud.run('cluster list', {
      env: { OS_PASSWORD: 'wrong-password' },
      secrets: ['wrong-password'],
    })
    expectClearFailure(result, 4, /Keystone refused the credentials/, /config view --origin/)
  })

  it('no role on the project', async () => {
    expectClearFailure(await cloud.as('norole', 'demo')('cluster list'), 4, /refused the credentials/)
  })

  it('a role that may not', async () => {
    const strict = await startCloud({ clusters: 1, magnumMax: '1.12' })
    const result = await strict.as('reader', 'demo')('cluster delete cluster1')
    await strict.close()
    expectClearFailure(result, 4, /Policy doesn't allow cluster:delete/, /auth status/)
  })

  it('not Keystone', async () => {
    const result = await cloud.run('cluster list', { env: { OS_AUTH_URL: cloud.sandbox.magnumUrl } })
    expectClearFailure(result, 4, /refused the credentials/, /The answer says that Keystone is at https:/)
  })

  it('not Keystone, nor any OpenStack', async () => {
    cloud.sandbox.faults.order({ ...login, times: 9, effect: { kind: 'answer', status: 404, body: 'no such page' } })
    expectClearFailure(await cloud.run('cluster list'), 1, /is not a Keystone v3 API/, /OS_AUTH_URL/)
  })

  it('a cloud without Magnum', async () => {
    const bare = await startCloud({ serviceType: null })
    expectClearFailure(await bare.run('cluster list'), 1, /does not offer Magnum/, /it offers .*identity/)
    await bare.close()
  })

  it('a cloud that lists Magnum under a type of its own: --os-service-type finds it', async () => {
    const odd = await startCloud({ serviceType: 'containers-of-ours', clusters: 1 })
    expectClearFailure(await odd.run('cluster list'), 1, /has no container-infra service/, /containers-of-ours/)
    const found = await odd.run('cluster list -f name --os-service-type containers-of-ours')
    expect(found).toMatchObject({ code: 0, out: 'cluster1\n' })
    await odd.close()
  })

  it('a service name that the catalog does not have', async () => {
    const line = 'cluster list -f name --os-service-name'
    expectClearFailure(await cloud.run(`${line} other`), 1, /no Magnum with the name "other"/, /names: magnum/)
    expect((await cloud.run(`${line} magnum`)).code).toBe(0)
  })

  it('a region or an interface that the catalog does not have', async () => {
    expectClearFailure(
      await cloud.run('cluster list --os-region-name RegionTwo'),
      1,
      /no public endpoint in region "RegionTwo"/,
      /RegionOne/,
    )
  })

  it('an auth type that coe does not know', async () => {
    expectClearFailure(
      await cloud.run('cluster list --os-auth-type v3kerberos'),
      2,
      /"v3kerberos" is not supported/,
      /application credential/,
    )
  })

  it('a token that is none: for Keystone, and where Magnum is asked at once', async () => {
    const token = { OS_TOKEN: 'not-a-token', OS_PASSWORD: undefined, OS_USERNAME: undefined }
    const asked = await cloud.run('cluster list', { env: token })
    expectClearFailure(asked, 4, /Keystone refused the credentials: .*token/, /the token has expired/)
    const env = { ...token, OS_AUTH_TYPE: 'admin_token', OS_ENDPOINT: cloud.sandbox.magnumUrl }
    expectClearFailure(await cloud.run('cluster list', { env }), 4, /HTTP 401/, /token \(from OS_TOKEN\) has expired/)
    const none = { ...env, OS_AUTH_TYPE: 'none' }
    expectClearFailure(await cloud.run('cluster list', { env: none }), 4, /HTTP 401/, /auth type none sends no token/)
  })

  it('an API version that this Magnum does not have, because the user insists on it', async () => {
    const env = { OS_CONTAINER_INFRA_API_VERSION: '1.99' }
    const result = await cloud.run('cluster list', { env })
    expectClearFailure(
      result,
      1,
      /API version 1\.99 was requested, but this server supports 1\.1 to 1\.10/,
      /leave out 1\.99/,
    )
  })

  it('an address for Magnum where something else is', async () => {
    const env = { OS_CONTAINER_INFRA_ENDPOINT_OVERRIDE: cloud.sandbox.authUrl }
    for (const line of ['cluster list', 'cluster show cluster1']) {
      expectClearFailure(await cloud.run(line, { env }), 1, /is not Magnum's API/, /endpoint override/)
    }
  })

  it('no password and nobody to ask', async () => {
    expectClearFailure(
      await cloud.run('cluster list', { env: { OS_PASSWORD: undefined } }),
      2,
      /no password was given/,
      /OS_PASSWORD/,
    )
  })

  it('asks for the password on a terminal, and nowhere shows it', async () => {
    const result = await cloud.run('cluster list -f name', {
      env: { OS_PASSWORD: undefined },
      tty: true,
      input: 'sandbox-password\n',
    })
    expect(result).toMatchObject({ code: 0, out: 'cluster1\ncluster2\n' })
    expect(result.err).toContain('Password: ')
  })
})

function listening(server: NetServer): Promise<number> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
