import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { KubeAccess } from '../../../src/config/kubeconfig/kubeconfig.ts'
import { connectCluster, inlineAccess } from '../../../src/kube/access/connect.ts'
import type { Prompting } from '../../../src/kube/access/exec-credential.ts'
import { type Answer, json, type Request } from '../../../src/sandbox/http.ts'
import { type Listener, listen } from '../../../src/sandbox/listener.ts'
import { connectOptions, failureOf, kubeWorld } from '../../support/kube.ts'
import { startProxy } from '../../support/proxy.ts'

let server: Listener
let folder: string
let seen: Request[] = []
/** What the server takes for a good Authorization header; anything when undefined. */
let good: string | undefined

const handler = (request: Request): Answer => {
  seen.push(request)
  if (good !== undefined && request.headers.authorization !== good) {
    return json(401, { kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 })
  }
  return json(200, { major: '1', minor: '34', gitVersion: 'v1.34.0' })
}

beforeAll(async () => {
  server = await listen({ name: 'kube', handler })
  folder = await mkdtemp(join(tmpdir(), 'coe-kube-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  seen = []
  good = undefined
})

const access = (user: Record<string, unknown>, more: Partial<KubeAccess> = {}): KubeAccess => ({
  ...inlineAccess({ name: 'c9', server: server.url }),
  userEntry: 'me',
  user,
  ...more,
})
const connect = (user: Record<string, unknown>, options = {}) => connectCluster(access(user), connectOptions(options))
/** `version` is remembered, so each look at the server needs another way. */
const ask = (api: ReturnType<typeof connect>) => api.raw({ method: 'GET', path: '/version' })

describe('what a kubeconfig user may hold', () => {
  test('a token, a name with a password, nothing', async () => {
    await ask(connect({ token: 'abc' }))
    await ask(connect({ username: 'joe', password: 'p:w' }))
    await ask(connect({}))
    expect(seen.map(r => r.headers.authorization)).toEqual([
      'Bearer abc',
      `Basic ${Buffer.from('joe:p:w').toString('base64')}`,
      undefined,
    ])
  })

  test('a token file is read again when the server no longer takes what was in it', async () => {
    const file = join(folder, 'token')
    await writeFile(file, 'one\n')
    const api = connect({ tokenFile: file, token: 'not this one' })
    await ask(api)
    await writeFile(file, 'two\n')
    good = 'Bearer two'
    expect((await ask(api)).status).toBe(200)
    expect(seen.map(r => r.headers.authorization)).toEqual(['Bearer one', 'Bearer one', 'Bearer two'])
  })

  test('impersonation with groups, uid and extra, each group a header of its own', async () => {
    const extra = { 'Example.com/Scope': ['a', 'b'] }
    await ask(connect({ token: 't', as: 'joe', 'as-groups': ['g1', 'g2'], 'as-uid': '7', 'as-user-extra': extra }))
    expect(seen[0]?.headers).toMatchObject({ 'impersonate-user': 'joe', 'impersonate-uid': '7' })
    expect(seen[0]?.headers['impersonate-group']).toBe('g1, g2') // Node joins what came as two
    expect(seen[0]?.headers['impersonate-extra-example.com%2fscope']).toBe('a, b')
    expect((await failureOf((async () => ask(connect({ 'as-groups': ['g'] })))())).message).toContain('no "as"')
  })

  test('a provider that Kubernetes dropped is told as that', async () => {
    const error = await failureOf((async () => ask(connect({ 'auth-provider': { name: 'gcp', config: {} } })))())
    expect(error.message).toContain('auth-provider "gcp"')
    expect(error.hint).toContain('credential plugin')
  })

  test('an OpenID token that still holds is used without asking its issuer', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 600 })).toString('base64url')
    const token = `e30.${claims}.sig`
    await ask(connect({ 'auth-provider': { name: 'oidc', config: { 'id-token': token } } }))
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${token}`)
  })

  describe('one that has expired', () => {
    const idToken = (exp: number) => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.sig`
    const soon = () => Math.floor(Date.now() / 1000) + 600
    let issuer: Server
    let asked: { url: string; authorization: string | undefined; body: string }[]
    let answer: object
    const config = () => ({
      'id-token': idToken(1),
      'refresh-token': 'refresh-me',
      'client-id': 'kube',
      'idp-issuer-url': `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/realm`,
    })
    beforeAll(async () => {
      issuer = createServer(async (request, response) => {
        let body = ''
        for await (const chunk of request) body += chunk
        asked.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
        const token_endpoint = `http://${request.headers.host}/token`
        response.end(JSON.stringify(request.method === 'GET' ? { token_endpoint } : answer))
      })
      await new Promise<void>(resolve => issuer.listen(0, '127.0.0.1', resolve))
    })
    afterAll(() => issuer.closeAllConnections())
    beforeEach(() => {
      asked = []
      answer = { id_token: idToken(soon()), refresh_token: 'next', expires_in: 600 }
    })
    const provider = (more: object = {}) => ({ 'auth-provider': { name: 'oidc', config: { ...config(), ...more } } })

    test('is renewed at its issuer, once for all requests of a run', async () => {
      const api = connect(provider())
      await Promise.all([ask(api), ask(api)])
      await ask(api)
      expect(asked.map(a => a.url)).toEqual(['/realm/.well-known/openid-configuration', '/token'])
      expect(Object.fromEntries(new URLSearchParams(asked[1]?.body))).toEqual({
        grant_type: 'refresh_token',
        refresh_token: 'refresh-me',
        client_id: 'kube',
      })
      expect(seen[0]?.headers.authorization).toBe(`Bearer ${(answer as { id_token: string }).id_token}`)
    })

    test('is renewed with the secret of the client, through the proxy of the environment', async () => {
      const proxy = await startProxy({ tunnelsTo: [443] })
      const world = kubeWorld({ env: { http_proxy: proxy.url } })
      await ask(connect(provider({ 'client-secret': 'hush' }), { world }))
      proxy.close()
      const { port } = issuer.address() as AddressInfo
      expect(proxy.asked.slice(0, 2)).toEqual([
        `GET http://127.0.0.1:${port}/realm/.well-known/openid-configuration`,
        `POST http://127.0.0.1:${port}/token`,
      ])
      expect(asked[1]?.authorization).toBe(`Basic ${Buffer.from('kube:hush').toString('base64')}`)
    })

    test('and whose issuer answers something else is exit 4, and says what', async () => {
      answer = { id_token: 5 }
      const error = await failureOf(ask(connect(provider())))
      expect(error.exitCode).toBe(4)
      expect(error.message).toContain('"id_token" is a number where a string was expected')
    })
  })

  test('one that has expired, with nothing to renew it, is exit 4', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url')
    const config = { 'id-token': `e30.${claims}.sig` }
    const error = await failureOf(ask(connect({ 'auth-provider': { name: 'oidc', config } })))
    expect(error.exitCode).toBe(4)
    expect(error.message).toContain('has expired')
  })
})

describe('credential plugins', () => {
  /** A plugin that writes down how it was called, and answers with `status`. */
  async function plugin(status: object, more: Record<string, unknown> = {}, before = '') {
    const script = join(folder, `plugin-${Math.random().toString(36).slice(2)}.mjs`)
    const calls = `${script}.calls`
    const apiVersion = 'client.authentication.k8s.io/v1'
    await writeFile(
      script,
      `import { appendFileSync } from 'node:fs'
${before}
appendFileSync(${JSON.stringify(calls)}, JSON.stringify({ info: JSON.parse(process.env.KUBERNETES_EXEC_INFO), mark: process.env.MARK }) + '\\n')
console.log(${JSON.stringify(JSON.stringify({ apiVersion, kind: 'ExecCredential', status }))})`,
    )
    const exec = { apiVersion, command: process.execPath, args: [script], interactiveMode: 'Never', ...more }
    const called = async () => {
      const text = await readFile(calls, 'utf8').catch(() => '')
      return text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    }
    return { exec, called }
  }

  test('runs once for many requests, and is told about the cluster when it wants to be', async () => {
    const { exec, called } = await plugin(
      { token: 'from-plugin' },
      { provideClusterInfo: true, env: [{ name: 'MARK', value: 'm' }] },
    )
    const secrets: unknown[] = []
    const api = connectCluster(
      access({ exec }, { execConfig: { audience: 'x' } }),
      connectOptions({ addSecret: s => void secrets.push(s), world: kubeWorld({ env: { PATH: '/bin' } }) }),
    )
    await Promise.all([ask(api), ask(api), ask(api)])
    await ask(api)
    expect(seen.every(r => r.headers.authorization === 'Bearer from-plugin')).toBe(true)
    expect(secrets).toContain('from-plugin')
    expect(await called()).toEqual([
      {
        mark: 'm',
        info: {
          apiVersion: 'client.authentication.k8s.io/v1',
          kind: 'ExecCredential',
          spec: { interactive: false, cluster: { server: server.url, config: { audience: 'x' } } },
        },
      },
    ])
  })

  test('runs again when its credential has expired, or the server no longer takes it', async () => {
    const old = await plugin({ token: 'old', expirationTimestamp: new Date(Date.now() + 5_000).toISOString() })
    const api = connect({ exec: old.exec })
    await ask(api)
    await ask(api)
    expect(await old.called()).toHaveLength(2) // within the margin in which nothing is used any more
    const refused = await plugin({ token: 'refused' })
    good = 'Bearer other'
    expect((await ask(connect({ exec: refused.exec }))).status).toBe(401)
    expect(await refused.called()).toHaveLength(2)
  })

  test('is started where it can do without asking, when nobody is to be asked', async () => {
    const { exec, called } = await plugin({ token: 't' }, { interactiveMode: 'IfAvailable' })
    const never = { prompting: 'never' satisfies Prompting }
    await ask(connect({ exec }, never))
    expect((await called())[0].info.spec.interactive).toBe(false)
    const always = await plugin({ token: 't' }, { interactiveMode: 'Always' })
    const refused = await failureOf(ask(connect({ exec: always.exec }, never)))
    expect([refused.message, refused.details?.code]).toEqual([
      expect.stringContaining('it was not started'),
      'PLUGIN_NOT_STARTED',
    ])
    expect(await always.called()).toEqual([])
    expect((await failureOf(ask(connect({ exec: always.exec })))).message).toContain('needs a terminal to prompt')
    await ask(connect({ exec })) // told that it is alone, it may run
    expect((await called())[0].info.spec.interactive).toBe(false)
  })

  test('that is not installed is told with the hint of its makers', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'no-such-plugin',
      installHint: 'get it at example.org',
    }
    const error = await failureOf(ask(connect({ exec })))
    expect(error.message).toBe(
      'the credential plugin "no-such-plugin" of user "me" (context "c9") is not installed (or not in PATH)',
    )
    expect(error.hint).toBe('get it at example.org')
    expect(error.exitCode).toBe(4)
  })

  test('that fails is quoted, and what it says is passed on at once', async () => {
    const heard: string[] = []
    const { exec } = await plugin({}, {}, `console.error('please log in'); process.exit(3)`)
    const error = await failureOf(ask(connect({ exec }, { onStderr: (t: string) => void heard.push(t) })))
    expect(error.message).toContain('failed (exit 3): please log in')
    expect(heard.join('')).toContain('please log in')
  })

  test('that answers in another version, or without a credential, is told as that', async () => {
    const beta = await plugin({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })
    expect((await failureOf(ask(connect({ exec: beta.exec })))).message).toContain(
      'printed apiVersion client.authentication.k8s.io/v1',
    )
    const empty = await plugin({})
    expect((await failureOf(ask(connect({ exec: empty.exec })))).message).toContain('neither a token nor a certificate')
    const old = await plugin({}, { apiVersion: 'client.authentication.k8s.io/v1alpha1' })
    expect((await failureOf(ask(connect({ exec: old.exec })))).exitCode).toBe(2)
  })
})
