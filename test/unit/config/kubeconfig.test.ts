import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  coeExtension,
  inClusterAccess,
  loadKubeconfig,
  resolveContext,
} from '../../../src/config/kubeconfig/kubeconfig.ts'
import { systemClock } from '../../../src/core/time.ts'
import { createCa } from '../../../src/pki/certificates.ts'
import { generateKey, privateKeyPem } from '../../../src/pki/keys.ts'
import { failureOf, makePlace, type Place } from './place.ts'

const first = `apiVersion: v1
kind: Config
clusters:
- cluster:
    server: https://a:6443
  name: c
contexts:
- context:
    cluster: c
    user: u
  name: x
users:
- name: u
  user:
    token: a
`
const second = `clusters:
- {name: c, cluster: {server: "https://b:6443"}}
- {name: d, cluster: {server: "https://d:6443", tls-server-name: dd, proxy-url: "http://p:1", insecure-skip-tls-verify: true}}
contexts:
- {name: x, context: {cluster: d, user: u}}
- {name: z, context: {cluster: d, user: v, namespace: ns}}
current-context: z
users:
- {name: v, user: {token: b, as: joe, as-groups: [g]}}
`

async function access(place: Place, text: string, name?: string) {
  const path = await place.file('.kube/config', text)
  const config = await loadKubeconfig(place.world())
  return { path, work: resolveContext(place.world(), config, name) }
}

async function refused(text: string, name?: string) {
  const place = await makePlace()
  const { path, work } = await access(place, text, name)
  const error = await failureOf(work)
  return { path, error, message: error.message.replaceAll(path, 'FILE').replaceAll(place.home, 'HOME') }
}

const certificate = async () => {
  const { privateKey } = await generateKey()
  const pem = createCa({ subject: [['CN', 'someone']], now: Date.now(), days: 1 }, privateKey)
  return { pem, key: privateKeyPem(privateKey) }
}
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('reading', () => {
  it('takes the first value in a list of files, and skips missing and empty files', async () => {
    const place = await makePlace()
    const a = await place.file('a', first)
    const b = await place.file('b', second)
    const empty = await place.file('empty', '')
    const config = await loadKubeconfig(place.world({ KUBECONFIG: `/missing:${empty}::${a}:${b}:${a}` }))
    expect(config.files).toEqual([empty, a, b])
    expect([...config.contexts.keys()]).toEqual(['x', 'z'])
    expect(config.contexts.get('x')).toMatchObject({ file: a, line: 8, value: { cluster: 'c' } })
    expect(config.clusters.get('c')?.value).toEqual({ server: 'https://a:6443' })
    expect(config.clusters.get('d')?.file).toBe(b)
    expect(config.currentContext).toEqual({ name: 'z', file: b })
    expect(config.warnings).toEqual([])
  })

  it('looks in ~/.kube/config, and does without a home', async () => {
    const place = await makePlace()
    expect((await loadKubeconfig(place.world())).files).toEqual([])
    const path = await place.file('.kube/config', first)
    expect((await loadKubeconfig(place.world())).files).toEqual([path])
    expect((await loadKubeconfig(place.world({ KUBECONFIG: '' }))).files).toEqual([path])
    const homeless = await loadKubeconfig(place.world({}, { home: undefined }))
    expect(homeless.paths).toEqual([])
    expect((await failureOf(resolveContext(place.world(), homeless))).hint).toContain('set KUBECONFIG')
  })

  it('requires the file that --kubeconfig names', async () => {
    const place = await makePlace()
    await place.file('work/mine', first)
    const config = await loadKubeconfig(place.world({ KUBECONFIG: '/other' }), { kubeconfig: 'mine' })
    expect(config.files).toEqual([join(place.cwd, 'mine')])
    const error = await failureOf(loadKubeconfig(place.world(), { kubeconfig: '/no/such' }))
    expect(error.message).toBe('there is no kubeconfig at /no/such')
  })

  it('reads JSON and empty sections, and tolerates a repeated name', async () => {
    const place = await makePlace()
    const json = await place.file(
      'j',
      JSON.stringify({ contexts: null, clusters: [], users: [{ name: 'u', user: { token: 't' } }] }),
    )
    const config = await loadKubeconfig(place.world({ KUBECONFIG: json }))
    expect(config.users.get('u')?.value).toEqual({ token: 't' })
    const twice = await place.file(
      't',
      'clusters:\n- name: c\n  cluster: {server: s1}\n- name: c\n  cluster: {server: s2}\n',
    )
    const double = await loadKubeconfig(place.world({ KUBECONFIG: twice }))
    expect(double.clusters.get('c')?.value.server).toBe('s1')
    expect(double.warnings).toEqual([`${twice}:4: a second cluster "c" is ignored; kubectl refuses this file`])
  })

  it.each([
    ['contexts: {x: 1}\n', /"contexts" in the kubeconfig .*:1 is not a list/],
    ['users:\n- user: {token: hunter2}\n', /an entry of "users" .*:2 has no name/],
    ['clusters:\n- name: c\n  cluster: text\n', /an entry of "clusters" .*:2 has no name or no content/],
    ['users:\n- name: u\n  user:\n    token: hunter2\n   password: x\n', /line 5/],
    ['- a\n', /does not hold keys and values/],
  ])('refuses %j', async (text, message) => {
    const place = await makePlace()
    await place.file('.kube/config', text)
    const error = await failureOf(loadKubeconfig(place.world()))
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('hunter2')
  })
})

describe('one context', () => {
  it('is resolved with all that it needs', async () => {
    const place = await makePlace()
    const { path, work } = await access(place, second)
    expect(await work).toEqual({
      name: 'z',
      server: 'https://d:6443',
      ca: undefined,
      tlsServerName: 'dd',
      insecure: true,
      proxyUrl: 'http://p:1',
      namespace: 'ns',
      cert: undefined,
      key: undefined,
      user: { token: 'b', as: 'joe', 'as-groups': ['g'] },
      clusterEntry: 'd',
      userEntry: 'v',
      file: path,
    })
  })

  it("reads relative files from the kubeconfig's folder, and prefers data to files", async () => {
    const place = await makePlace()
    const { pem, key } = await certificate()
    await place.file('.kube/pki/ca.pem', pem)
    await place.file('.kube/key.pem', key)
    const { work } = await access(
      place,
      `clusters: [{name: c, cluster: {server: "h:6443", certificate-authority: pki/ca.pem}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
users:
- name: u
  user:
    client-certificate-data: ${base64(pem)}
    client-certificate: not-there.pem
    client-key: key.pem
    tokenFile: sub/token
    exec: {command: ./bin/plugin, args: [a]}
`,
      'x',
    )
    const resolved = await work
    expect(resolved).toMatchObject({ ca: pem, cert: pem, key, server: 'https://h:6443' })
    expect(resolved.user).toMatchObject({
      tokenFile: join(place.home, '.kube/sub/token'),
      exec: { command: join(place.home, '.kube/bin/plugin'), args: ['a'] },
    })
  })

  it('leaves a bare exec command to PATH, and a server without TLS on http', async () => {
    const place = await makePlace()
    const { work } = await access(
      place,
      'clusters: [{name: c, cluster: {server: "localhost:8080"}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {exec: {command: aws}}}]\n',
      'x',
    )
    expect(await work).toMatchObject({ server: 'http://localhost:8080', user: { exec: { command: 'aws' } } })
  })

  it('is suggested for an unknown name', async () => {
    const { error, message } = await refused(first.replace('name: x', 'name: cluster-one'), 'cluster-on')
    expect(error.outcome).toBe('notFound')
    expect(message).toBe('context "cluster-on" is not in the kubeconfig (FILE)')
    expect(error.hint).toBe('did you mean "cluster-one"? contexts: cluster-one')
    const current = await refused(`${first}current-context: gone\n`)
    expect(current.message).toBe('the current context "gone" is not in the kubeconfig (FILE)')
    const none = await refused(first)
    expect([none.error.outcome, none.error.hint]).toEqual(['usage', 'contexts: x'])
    expect((await refused('', 'x')).error.outcome).toBe('notFound')
  })

  const shaped = (cluster: string, user = '{token: t}') =>
    `contexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: ${cluster}}]\nusers: [{name: u, user: ${user}}]\n`

  it.each([
    [
      'no cluster entry',
      'contexts: [{name: x, context: {cluster: gone}}]\n',
      'context "x" in FILE:1 refers to the cluster "gone", which no kubeconfig has',
    ],
    [
      'no user entry',
      `${shaped('{server: s}').replace('name: u,', 'name: uu,')}`,
      'context "x" in FILE:1 refers to the user "u", which no kubeconfig has',
    ],
    ['no cluster named', 'contexts: [{name: x, context: {}}]\n', 'context "x" in FILE has no cluster'],
    ['no server', shaped('{}'), 'cluster "c" in FILE:2 has no server'],
    [
      'a bad server',
      shaped('{server: "ftp://x"}'),
      'the server of cluster "c" in FILE:2 is not an address like https://host:6443',
    ],
    [
      'bad base64',
      shaped('{server: s, certificate-authority-data: "!!!"}'),
      'certificate-authority-data of cluster "c" in FILE:2 is not base64',
    ],
    [
      'base64 of no PEM',
      shaped('{server: s, certificate-authority-data: aGVsbG8=}'),
      'certificate-authority-data of cluster "c" in FILE:2 is not PEM: it has no "-----BEGIN" line',
    ],
    [
      'a missing CA file',
      shaped('{server: s, certificate-authority: ca.pem}'),
      'HOME/.kube/ca.pem, the certificate-authority of cluster "c" in FILE:2, does not exist',
    ],
    [
      'a missing key file',
      shaped('{server: s}', '{client-key: /no/key}'),
      '/no/key, the client-key of user "u" in FILE:3, does not exist',
    ],
  ])('is refused with %s', async (_, text, message) => {
    expect((await refused(text, 'x')).message).toBe(message)
  })

  it('is refused with half a key pair, a broken certificate, or a CA beside insecure-skip-tls-verify', async () => {
    const { pem, key } = await certificate()
    const data = (name: string, content: string) => `${name}-data: ${base64(content)}`
    const half = await refused(shaped('{server: s}', `{${data('client-certificate', pem)}}`), 'x')
    expect(half.message).toBe('user "u" in FILE:3 has a client certificate without its key')
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    const bad = await refused(
      shaped('{server: s}', `{${data('client-certificate', broken)}, ${data('client-key', key)}}`),
      'x',
    )
    expect(bad.message).toBe('the client certificate of user "u" in FILE:3 cannot be parsed')
    const both = await refused(
      shaped(`{server: s, insecure-skip-tls-verify: true, ${data('certificate-authority', pem)}}`),
      'x',
    )
    expect(both.message).toContain('has a certificate authority and insecure-skip-tls-verify: true')
  })

  it('is refused if its client certificate has expired', async () => {
    const place = await makePlace()
    const { pem, key } = await certificate()
    const path = await place.file(
      '.kube/config',
      shaped('{server: s}', `{client-certificate-data: ${base64(pem)}, client-key-data: ${base64(key)}}`),
    )
    const config = await loadKubeconfig(place.world())
    expect((await resolveContext(place.world(), config, 'x')).cert).toBe(pem)
    const later = place.world({}, { clock: { ...systemClock, now: () => Date.now() + 4 * 86_400_000 } })
    const error = await failureOf(resolveContext(later, config, 'x'))
    expect(error.outcome).toBe('denied')
    expect(error.message).toContain(`the client certificate of user "u" in ${path}:3 expired 3d ago`)
  })
})

describe('inside a pod', () => {
  it('the service account gives access', async () => {
    const place = await makePlace()
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const folder = join(place.home, 'sa')
    expect(await inClusterAccess(place.world(env), folder)).toBeUndefined()
    await place.file('sa/token', 'secret-token')
    const error = await failureOf(inClusterAccess(place.world(env), folder))
    expect(error.message).toContain('there is no certificate authority of this cluster')
    await place.file('sa/ca.crt', 'PEM')
    await place.file('sa/namespace', 'web\n')
    expect(await inClusterAccess(place.world(env), folder)).toMatchObject({
      server: 'https://[fd00::1]:443',
      ca: 'PEM',
      namespace: 'web',
      user: { tokenFile: `${folder}/token` },
    })
    expect(await inClusterAccess(place.world(), folder)).toBeUndefined()
  })
})

it("follows links, and reads coe's note on a context", async () => {
  const place = await makePlace()
  const real = await place.file(
    'real',
    'contexts:\n- name: f\n  context:\n    cluster: c\n    extensions:\n    - name: minikube\n      extension: {v: 1}\n    - name: coe\n      extension: {federation: f}\n- name: g\n  context: {}\n',
  )
  await symlink(real, join(place.home, 'link'))
  const config = await loadKubeconfig(place.world({ KUBECONFIG: '~/link' }))
  expect(coeExtension(config.contexts.get('f'))).toEqual({ federation: 'f' })
  expect(coeExtension(config.contexts.get('g'))).toBeUndefined()
})
