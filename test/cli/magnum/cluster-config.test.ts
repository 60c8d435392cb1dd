/** Kubeconfigs: what is in them, where they go, who may have them, and that they open the cluster. */
import { X509Certificate } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { seedCluster, seedTemplate } from '../../../src/sandbox/openstack/seed.ts'
import { apiServersIn } from '../../../src/sandbox/playground.ts'
import { send } from '../../sandbox/request.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
let kube: KubeSandbox
let folder: string
let count = 0
beforeAll(async () => {
  kube = await startKubeSandbox({ members: 0 })
  cloud = await startCloud({ clusters: 2, apiServers: apiServersIn(kube) })
  const { accounts, state } = cloud.sandbox.openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  const template = seedTemplate(state, owner, { name: 't' })
  await seedCluster(state, owner, template, { name: 'young', status: 'CREATE_IN_PROGRESS' })
  const open = seedTemplate(state, owner, { name: 'open', tls_disabled: true })
  const plain = await seedCluster(state, owner, open, { name: 'plain' })
  plain.api_address = 'http://127.0.0.1:8080'
  const swarm = seedTemplate(state, owner, { name: 'swarm', coe: 'swarm' })
  await seedCluster(state, owner, swarm, { name: 'herd' })
})
afterAll(async () => {
  await cloud.close()
  await kube.close()
})
beforeEach(async () => {
  folder = join(cloud.home, `folder${++count}`)
  await mkdir(folder)
})

const config = (rest: string, env: Record<string, string | undefined> = {}, run = cloud.run) =>
  run(`cluster config ${rest}`, { cwd: folder, env })
// biome-ignore lint/suspicious/noExplicitAny: YAML of every shape
const read = async (path: string): Promise<any> => parse(await readFile(join(folder, path), 'utf8'))
const decode = (data: string) => Buffer.from(data, 'base64').toString()
const mode = async (path: string) => ((await stat(join(folder, path))).mode & 0o777).toString(8)

/** How the cluster's API server answers the holder of this kubeconfig. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function status(kubeconfig: any, path: string): Promise<number> {
  const { cluster } = kubeconfig.clusters[0]
  const { user } = kubeconfig.users[0]
  const answer = await send('GET', `${cluster.server}${path}`, {
    ca: decode(cluster['certificate-authority-data']),
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  })
  return answer.status
}

describe('coe cluster config', () => {
  // difference: config-private
  it('writes what upstream writes, for its owner alone, and prints the line for eval', async () => {
    const { code, out, err } = await config('cluster1', { SHELL: '/bin/bash' })
    expect({ code, out }).toEqual({ code: 0, out: `export KUBECONFIG=${folder}/config\n\n` })
    expect(err).toMatch(/^the certificate is valid until \d{4}-\d\d-\d\d \(18\d\dd\)\n$/)
    expect(await mode('config')).toBe('600')
    const written = await read('config')
    expect(written).toMatchObject({
      apiVersion: 'v1',
      kind: 'Config',
      preferences: {},
      clusters: [{ name: 'cluster1' }],
      contexts: [{ name: 'default', context: { cluster: 'cluster1', user: 'admin' } }],
      'current-context': 'default',
      users: [{ name: 'admin' }],
    })
    expect(decode(written.users[0].user['client-key-data'])).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/)
    expect(await status(written, '/api/v1/namespaces')).toBe(200)
  })

  // difference: config-any-shell
  it('needs no SHELL, knows csh, makes the folder, and quotes it where it must', async () => {
    expect((await config('cluster1 --dir a/b')).out).toBe(`export KUBECONFIG=${folder}/a/b/config\n\n`)
    expect(await mode('a/b')).toBe('700')
    const odd = await cloud.run(['cluster', 'config', 'cluster1', '--dir', "it's here"], {
      cwd: folder,
      env: { SHELL: '/bin/tcsh' },
    })
    expect(odd.out).toBe(`setenv KUBECONFIG '${folder}/it'\\''s here/config'\n\n`)
  })

  // difference: config-asks-nothing-in-vain
  it('overwrites nothing without --force, and asks for no certificate then', async () => {
    await writeFile(join(folder, 'config'), 'mine\n')
    cloud.sandbox.log.clear()
    const { code, out, err } = await config('cluster1')
    expect({ code, out }).toEqual({ code: 5, out: '' })
    expect(err).toContain(`coe: file ${folder}/config exists\nhint: --force overwrites it`)
    expect(await readFile(join(folder, 'config'), 'utf8')).toBe('mine\n')
    expect(cloud.sandbox.log.all().filter(e => e.url.includes('certificates'))).toEqual([])
    expect((await config('cluster1 --force')).code).toBe(0)
    expect((await read('config')).kind).toBe('Config')
    expect(await mode('config')).toBe('600')
  })

  it('with --output-certs writes them, too, as upstream names them', async () => {
    expect((await config('cluster1 --output-certs')).code).toBe(0)
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'cert.pem', 'config', 'key.pem'])
    const [key, cert, ca] = await Promise.all(
      ['key.pem', 'cert.pem', 'ca.pem'].map(f => readFile(join(folder, f), 'utf8')),
    )
    expect(key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/)
    const certificate = new X509Certificate(cert as string)
    expect(certificate.subject).toBe('CN=admin\nO=system:masters')
    expect(certificate.verify(new X509Certificate(ca as string).publicKey)).toBe(true)
    expect(await Promise.all(['key.pem', 'cert.pem', 'ca.pem'].map(mode))).toEqual(['600', '600', '600'])
    const { users } = await read('config')
    expect(decode(users[0].user['client-key-data'])).toBe(key)
    expect((await config('cluster1 --output-certs')).err).toContain('key.pem exists')
  })

  it('for --user and --group asks for no more than they say', async () => {
    expect((await config('cluster1 --user jane --group dev --group ops')).code).toBe(0)
    const written = await read('config')
    expect(written.users[0].name).toBe('jane')
    const { subject } = new X509Certificate(decode(written.users[0].user['client-certificate-data']))
    expect(subject).toBe('CN=jane\nO=dev\nO=ops')
    expect(await status(written, '/api/v1/namespaces')).toBe(403)
  })

  it('prints the kubeconfig with --stdout, and nothing else there', async () => {
    const { code, out } = await config('cluster2 --stdout --context-name two')
    expect(code).toBe(0)
    const printed = parse(out)
    expect(printed['current-context']).toBe('two')
    expect(await status(printed, '/version')).toBe(200)
    expect(await readdir(folder)).toEqual([])
  })

  it('tells -f what it did', async () => {
    const { out, err } = await config('cluster1 -f json')
    expect(JSON.parse(out)).toMatchObject({
      cluster: 'cluster1',
      context: 'default',
      user: 'admin',
      file: join(folder, 'config'),
      expires_at: expect.stringMatching(/^\d{4}-/),
    })
    expect(err).toContain('export KUBECONFIG=')
  })

  // difference: config-needs-address
  it('waits for no address: a cluster without one has no kubeconfig', async () => {
    const { code, err } = await config('young')
    expect(code).toBe(5)
    expect(err).toContain('cluster "young" has no API address yet: it is CREATE_IN_PROGRESS')
    expect(err).toContain('coe cluster wait young')
    expect(await readdir(folder)).toEqual([])
  })

  it('makes no certificate where the API is served without TLS', async () => {
    expect((await config('plain')).code).toBe(0)
    expect(await read('config')).toMatchObject({
      clusters: [{ name: 'plain', cluster: { server: 'http://127.0.0.1:8080' } }],
      contexts: [{ name: 'plain', context: { cluster: 'plain', user: 'plain' } }],
      users: [{ name: 'plain', user: {} }],
    })
  })

  describe('the address that Magnum tells', () => {
    const clusterNamed = (name: string) => {
      const found = [...cloud.sandbox.openstack.state.store.clusters.values()].find(c => c.name === name)
      if (!found) throw new Error(`no ${name}`)
      return found
    }
    /** As if Magnum told this address of it, for one run. */
    async function at(name: string, address: string, line: string) {
      const cluster = clusterNamed(name)
      const real = cluster.api_address
      cluster.api_address = address
      cloud.sandbox.log.clear()
      const result = await config(line)
      cluster.api_address = real
      const signed = cloud.sandbox.log.all().some(e => e.method === 'POST' && e.url.includes('certificates'))
      return { ...result, signed, files: await readdir(folder) }
    }

    it.each([
      'file:///etc/passwd',
      'javascript:alert(1)',
      'ftp://10.0.0.1:6443',
      '10.0.0.1:6443',
      'https://user:word@10.0.0.1:6443',
      'https://',
      'https:10.0.0.1',
      ' https://10.0.0.1:6443',
      'https://10.0.0.1:6443\nkind: x',
    ])('%j is refused, with and without --use-keystone, before anything is signed or written', async address => {
      for (const line of ['cluster1', 'cluster1 --use-keystone', 'cluster1 --stdout', 'plain']) {
        const name = line.split(' ')[0] as string
        const { code, out, err, signed, files } = await at(name, address, line)
        expect({ code, out, signed, files }).toEqual({ code: 1, out: '', signed: false, files: [] })
        expect(err).toContain(
          `coe: Magnum gives ${JSON.stringify(address.replace('user:word', '[hidden]'))} as the API address of cluster "${name}"`,
        )
      }
    })

    it('http:// is refused where the template has TLS on', async () => {
      for (const line of ['cluster1', 'cluster1 --use-keystone']) {
        const { code, err, signed, files } = await at('cluster1', 'http://10.0.0.1:8080', line)
        expect({ code, signed, files }).toEqual({ code: 1, signed: false, files: [] })
        expect(err).toContain('the API address of cluster "cluster1" is not encrypted (http://10.0.0.1:8080)')
        expect(err).toContain('its template "k8s" does not disable TLS')
      }
    })

    it('http:// is refused where the template cannot be seen', async () => {
      cloud.sandbox.faults.order({ path: /clustertemplates/, times: 9, effect: { kind: 'answer', status: 403 } })
      const { code, err } = await at('plain', 'http://127.0.0.1:8080', 'plain')
      cloud.sandbox.faults.clear()
      expect([code, err]).toEqual([1, expect.stringContaining('it is unknown whether it disables TLS')])
    })

    it('--use-keystone says that the token goes unencrypted where the template has no TLS', async () => {
      const { code, err } = await at('plain', 'http://127.0.0.1:8080', 'plain --use-keystone')
      expect(code).toBe(0)
      expect(err).toContain(
        'the API of cluster "plain" is not encrypted: your OpenStack token goes there in plain text',
      )
    })

    it('a swarm may have its own kind', async () => {
      const { code, out } = await at('herd', 'tcp://10.0.0.1:2376', 'herd')
      expect([code, out]).toEqual([0, expect.stringContaining('export DOCKER_HOST=tcp://10.0.0.1:2376\n')])
      expect((await at('herd', 'file:///x', 'herd')).code).toBe(1)
    })
  })

  it('prints variables for Docker where a swarm is', async () => {
    const { code, out } = await config('herd --output-certs', { SHELL: '/bin/sh' })
    expect(code).toBe(0)
    expect(out).toMatch(
      /^export DOCKER_HOST=https:.*\nexport DOCKER_CERT_PATH=\/.*\nexport DOCKER_TLS_VERIFY=True\n\n$/,
    )
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'cert.pem', 'key.pem'])
  })

  it('says who may have the certificates of a cluster', async () => {
    const { code, out, err } = await config('cluster1', {}, cloud.as('demo2'))
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toContain('only the user who created cluster "cluster1" may have its certificates')
    expect(err).toContain('--use-keystone --cluster-ca FILE')
  })

  it.each([
    ['--stdout --merge', '--stdout and --merge exclude each other'],
    ['--stdout --output-certs', '--stdout and --output-certs exclude each other'],
    ['--use-keystone --use-certificate', '--use-keystone and --use-certificate exclude each other'],
    ['--stdout --dir x', '--stdout and --dir exclude each other'],
    ["--merge --context-name ''", '--context-name is empty'],
    ["--stdout --user ''", '--user is empty'],
    ['--stdout -f json', '--stdout and -f exclude each other'],
    ['--merge --dir x', '--merge and --dir exclude each other'],
    ['--use-keystone --user x', '--user and --group are for a certificate'],
  ])('refuses %s', async (options, says) => {
    const { code, err } = await config(`cluster1 ${options}`)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })

  it('fails whole where it may not write', async () => {
    await writeFile(join(folder, 'file'), '')
    const { code, out, err } = await config('cluster1 --dir file/below')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`coe: cannot write ${folder}/file/below/config (ENOTDIR)`)
    const itself = await config('cluster1 --dir file --force')
    expect(itself.err).toContain(`coe: ${folder}/file is a file, not a folder`)
    expect(itself.code).toBe(5)
  })
})

describe('coe cluster config --merge', () => {
  const kubeconfig = () => ({ KUBECONFIG: join(folder, 'kube') })

  it('puts clusters beside each other, under names of their own', async () => {
    await writeFile(
      join(folder, 'kube'),
      '# mine\napiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n',
    )
    const first = await config('cluster1 --merge', kubeconfig())
    expect(first).toMatchObject({
      code: 0,
      out: `Context "cluster1" is in ${folder}/kube and is the current context\n`,
    })
    await config('cluster2 --merge --context-name prod', kubeconfig())
    expect(await readFile(join(folder, 'kube'), 'utf8')).toMatch(/^# mine\n/)
    const merged = await read('kube')
    expect(merged.contexts.map((c: { name: string; context: object }) => [c.name, c.context])).toEqual([
      ['cluster1', expect.objectContaining({ cluster: 'cluster1', user: 'cluster1-admin' })],
      ['prod', expect.objectContaining({ cluster: 'prod', user: 'prod-admin' })],
    ])
    expect(merged['current-context']).toBe('prod')
    expect(await status({ clusters: merged.clusters, users: merged.users }, '/api/v1/namespaces')).toBe(200)
    expect(await readdir(folder)).toEqual(['kube'])
  })

  it('renews an entry of the same cluster, and leaves alone one that leads elsewhere', async () => {
    await config('cluster1 --merge', kubeconfig())
    const before = await read('kube')
    expect((await config('cluster1 --merge', kubeconfig())).code).toBe(0)
    const after = await read('kube')
    expect(after.users).toHaveLength(1)
    expect(after.users[0].user).not.toEqual(before.users[0].user)

    const other = await config('cluster2 --merge --context-name cluster1', kubeconfig())
    expect(other.code).toBe(5)
    expect(other.err).toContain(
      `${folder}/kube already has a context "cluster1", which leads to ${after.clusters[0].cluster.server}`,
    )
    expect(await read('kube')).toEqual(after)
    expect((await config('cluster2 --merge --context-name cluster1 --force', kubeconfig())).code).toBe(0)
    expect((await read('kube')).clusters[0].cluster.server).not.toBe(after.clusters[0].cluster.server)
  })

  it('goes to ~/.kube/config, made when missing', async () => {
    expect((await config('cluster1 --merge', { KUBECONFIG: undefined })).out).toContain(`${cloud.home}/.kube/config`)
    expect((await stat(join(cloud.home, '.kube/config'))).mode & 0o777).toBe(0o600)
  })
})

describe('coe cluster config --use-keystone', () => {
  // difference: config-keystone-plugin
  it('makes coe the credential plugin, with what leads to the same cloud, and no certificate', async () => {
    cloud.sandbox.log.clear()
    const { code, err } = await config('cluster1 --use-keystone')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^kubectl logs in .* where OS_USERNAME is set, .*\n$/),
    })
    expect(cloud.sandbox.log.all().filter(e => e.method === 'POST' && e.url.includes('certificates'))).toEqual([])
    const { contexts, users } = await read('config')
    expect(contexts).toEqual([
      { name: 'openstackuser@kubernetes', context: { cluster: 'cluster1', user: 'openstackuser' } },
    ])
    const { exec } = users[0].user
    expect(exec).toMatchObject({
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'coe',
      interactiveMode: 'IfAvailable',
    })
    expect(exec.args.slice(0, 4)).toEqual(['auth', 'kubectl-token', '--os-auth-url', cloud.sandbox.authUrl])
    expect(JSON.stringify(exec)).not.toContain('password')
    const again = await config('cluster1 --use-keystone --merge', { KUBECONFIG: join(folder, 'kube') })
    expect(again.out).toMatch(/is the current context\n$/)
    const third = await config('cluster1 --use-keystone --merge', { KUBECONFIG: join(folder, 'kube') })
    expect(third.out).toMatch(/is the current context: unchanged\n$/)
  })

  it('names the cloud of a file, and the file', async () => {
    const clouds = join(folder, 'clouds.yaml')
    await writeFile(clouds, cloud.sandbox.cloudsYaml(cloud.caFile))
    const [name] = Object.keys(parse(await readFile(clouds, 'utf8')).clouds)
    const bare = { PATH: '/usr/bin', HOME: cloud.home, OS_CLOUD: name, OS_CLIENT_CONFIG_FILE: clouds }
    const env = { ...Object.fromEntries(Object.keys(cloud.env).map(key => [key, undefined])), ...bare }
    const { code, out } = await config('cluster1 --use-keystone --stdout', env)
    expect(code).toBe(0)
    const { exec } = parse(out).users[0].user
    expect(exec.args).toEqual(['auth', 'kubectl-token', '--os-cloud', name])
    expect(exec.env).toEqual([{ name: 'OS_CLIENT_CONFIG_FILE', value: clouds }])
  })

  it('serves a colleague who has the CA from its owner', async () => {
    await writeFile(join(folder, 'ca.pem'), (await cloud.run('ca show cluster1')).out)
    const { code, out } = await config('cluster1 --use-keystone --cluster-ca ca.pem --stdout', {}, cloud.as('demo2'))
    expect(code).toBe(0)
    expect(decode(parse(out).clusters[0].cluster['certificate-authority-data'])).toContain('BEGIN CERTIFICATE')
    const missing = await config('cluster1 --use-keystone --cluster-ca nosuch.pem', {}, cloud.as('demo2'))
    expect(missing).toMatchObject({ code: 3, out: '' })
  })
})

describe('coe auth kubectl-token', () => {
  it('prints the ExecCredential that kubectl asks for', async () => {
    const { code, out } = await cloud.run('auth kubectl-token')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: {
        token: expect.any(String),
        expirationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    })
    const older = {
      KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential"}',
    }
    const { apiVersion } = JSON.parse((await cloud.run('auth kubectl-token', { env: older })).out)
    expect(apiVersion).toBe('client.authentication.k8s.io/v1beta1')
  })

  it('asks Keystone once, and then has it from the cache', async () => {
    await cloud.run('auth kubectl-token')
    cloud.sandbox.log.clear()
    await cloud.run('auth kubectl-token')
    expect(cloud.sandbox.log.all()).toEqual([])
  })
})
