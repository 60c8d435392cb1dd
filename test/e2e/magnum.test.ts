/** The life of a cluster on a real Magnum, as its owner sees it: from the template to the deletion of both. */
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { KubeConfig } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, openstackThere, type Scene, told } from './scene.ts'

const run = promisify(execFile)
const openssl = (args: string[]) => run('openssl', args)
let scene: Scene
let cluster: string

beforeAll(async () => {
  if (!openstackThere) return
  scene = await openScene()
  cluster = scene.name('c1')
})
afterAll(async () => {
  await scene?.close()
})

describe.runIf(openstackThere)('a cluster on a real Magnum', () => {
  it('begins with a template', async () => {
    const name = await scene.makeTemplate('t1', '--network-driver calico --labels kube_tag=v1.22.1')
    expect(await scene.ok(`cluster template show ${name} -f value -c name -c network_driver`)).toBe(`${name}\ncalico\n`)
    const { labels } = await scene.json(`cluster template show ${name}`)
    expect(labels).toEqual({ kube_tag: 'v1.22.1' })
  })

  it('is made, and --wait ends when it stands', async () => {
    const line = `cluster create ${cluster} --cluster-template ${scene.name('t1')} --node-count 1 --label team=a,b --merge-labels --wait`
    const ended = await scene.run(line)
    expect(ended.code, told(line, ended)).toBe(0)
    const shown = await scene.json(`cluster show ${cluster}`)
    expect(shown).toMatchObject({ name: cluster, status: 'CREATE_COMPLETE', node_count: 1 })
    expect(shown.labels).toEqual({ kube_tag: 'v1.22.1', team: 'a,b' })
  })

  it('is listed and shown, in each format and by columns', async () => {
    const table = await scene.ok('cluster list')
    expect(table).toMatch(/^\+-+\+/)
    expect(table).toContain(`| ${cluster}`)
    const rows = await scene.json<{ name: string; status: string }[]>('cluster list')
    expect(rows.find(({ name }) => name === cluster)).toMatchObject({ status: 'CREATE_COMPLETE' })
    const line = `cluster list --name ${cluster} -f value -c name -c status`
    expect(await scene.ok(line)).toBe(`${cluster} CREATE_COMPLETE\n`)
    expect(await scene.ok(`cluster show ${cluster} -f value -c status`)).toBe('CREATE_COMPLETE\n')
    expect(await scene.ok(`cluster show ${cluster} -f shell --prefix c_ -c status`)).toBe(
      'c_status="CREATE_COMPLETE"\n',
    )
  })

  it('is resized, and --wait ends when it has its nodes', async () => {
    await scene.ok(`cluster resize ${cluster} 2 --wait`)
    expect(await scene.json(`cluster show ${cluster}`)).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 2 })
  })

  it('is updated in both dialects', async () => {
    await scene.ok(`cluster update ${cluster} replace node_count=3 --wait`)
    expect((await scene.json(`cluster show ${cluster}`)).node_count).toBe(3)
    await scene.ok(`cluster update ${cluster} --node-count 1 --wait`)
    expect((await scene.json(`cluster show ${cluster}`)).node_count).toBe(1)
  })

  it('gets a node group, which is listed, shown, updated and deleted', async () => {
    await scene.ok(`nodegroup create ${cluster} extra --node-count 1 --max-nodes 4 --wait`)
    const groups = await scene.json<{ name: string }[]>(`nodegroup list ${cluster}`)
    expect(groups.map(({ name }) => name).sort()).toEqual(['default-master', 'default-worker', 'extra'])
    const show = `nodegroup show ${cluster} extra`
    expect(await scene.json(show)).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 1, max_node_count: 4 })
    await scene.ok(`nodegroup update ${cluster} extra --min-nodes 1 --max-nodes 6 --wait`)
    expect(await scene.json(show)).toMatchObject({ min_node_count: 1, max_node_count: 6 })
    await scene.ok(`nodegroup delete ${cluster} extra --wait`)
    const gone = await scene.run(show)
    expect([gone.code, gone.out]).toEqual([3, ''])
  })

  it('shows its authority, and signs what OpenSSL made and OpenSSL verifies', async () => {
    const file = (name: string) => join(scene.home, name)
    await writeFile(file('ca.pem'), await scene.ok(`ca show ${cluster}`))
    const request = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('key.pem'), '-out', file('csr.pem')]
    await openssl(['req', '-new', ...request, '-subj', '/O=system:masters/CN=admin'])
    await writeFile(file('cert.pem'), await scene.ok(`ca sign ${cluster} ${file('csr.pem')}`))
    const verified = await openssl(['verify', '-CAfile', file('ca.pem'), file('cert.pem')])
    expect(verified.stdout).toContain('OK')
    const fromInput = await scene.ok(`ca sign ${cluster} -`, { input: await readFile(file('csr.pem'), 'utf8') })
    expect(fromInput).toContain('BEGIN CERTIFICATE')
  })

  it('has a kubeconfig for its owner alone, whose chain OpenSSL verifies and Kubernetes’ own client reads', async () => {
    const dir = join(scene.home, 'config')
    const out = await scene.ok(`cluster config ${cluster} --dir ${dir} --output-certs`)
    const path = join(dir, 'config')
    expect(out).toContain(path)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const verified = await openssl(['verify', '-CAfile', join(dir, 'ca.pem'), join(dir, 'cert.pem')])
    expect(verified.stdout).toContain('OK')
    const config = new KubeConfig()
    config.loadFromFile(path)
    const { api_address } = await scene.json(`cluster show ${cluster}`)
    expect(config.getCurrentCluster()?.server).toBe(api_address)
    const { keyData, keyFile } = config.getCurrentUser() ?? expect.fail('it names no user')
    const key = keyFile ? await readFile(keyFile, 'utf8') : Buffer.from(keyData ?? '', 'base64').toString()
    expect(key).toMatch(/^-----BEGIN (?:RSA |EC )?PRIVATE KEY-----/)
  })

  it('is upgraded to another template', async () => {
    const newer = await scene.makeTemplate('t2', '--network-driver calico --labels kube_tag=v1.23.3')
    await scene.ok(`cluster upgrade ${cluster} ${newer} --wait`)
    const { uuid } = await scene.json(`cluster template show ${newer}`)
    expect((await scene.json(`cluster show ${cluster}`)).cluster_template_id).toBe(uuid)
  })

  it('is deleted, and so are its templates; the second deletion finds nothing', async () => {
    await scene.ok(`cluster delete ${cluster} --wait`)
    const again = await scene.run(`cluster delete ${cluster}`)
    expect([again.code, again.err]).toEqual([3, expect.stringContaining(`no cluster "${cluster}"`)])
    await scene.ok(`cluster delete ${cluster} --ignore-not-found`)
    await scene.ok(`cluster template delete ${scene.name('t1')} ${scene.name('t2')}`)
  })
})
