/**
 * A control plane on three nodes in trouble: the recorded address answers nothing, and the keys of its authorities are lost. The
 * address is one of a network that leads nowhere, so that no node of a shared host need be turned off.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters, schedulable } from './clusters.ts'
import { told } from './scene.ts'

const nodes = clustersThere ? await schedulable('host') : []
const enough = nodes.length >= 3

let at: Clusters
beforeAll(async () => {
  if (!enough) return
  at = await openClusters()
  await at.ok(`federation create ${at.name} --host host --expose nodeport --ha --etcd-user root --wait-timeout 5m`)
})
afterAll(async () => {
  if (!at) return
  await at.run(`federation delete ${at.name} --host host --unjoin --yes --ignore-not-found`)
  await at.close()
})

const place = () => ['--namespace', `coe-fed-${at.name}`]
const secretOf = async (name: string) =>
  JSON.parse(await at.kubectl('host', 'get', 'secret', name, ...place(), '-o', 'json'))
const text = (data: Record<string, string>, file: string) => Buffer.from(data[file] ?? '', 'base64').toString()
const apiOf = async () => {
  const { out } = await at.run(`federation status ${at.name} -f json`)
  return (JSON.parse(out) as { part: string; name: string; healthy: boolean }[]).find(row => row.part === 'api')
}

describe.runIf(enough)('an address that answers nothing (three nodes; KUBECONFIG, COE_ASSETS)', () => {
  it('is no reason to see nothing, to join nothing and to mend nothing', { timeout: 600_000 }, async () => {
    const { apiVersion, kind, type, metadata, data } = await secretOf('admin-kubeconfig')
    const server = text(data, 'server')
    const dead = server.replace(/\/\/[^:]+:/, '//192.0.2.1:')
    const { name, namespace, labels } = metadata
    const changed = { ...data, server: Buffer.from(dead).toString('base64') }
    const file = join(at.folder, 'admin.json')
    await writeFile(
      file,
      JSON.stringify({ apiVersion, kind, type, metadata: { name, namespace, labels }, data: changed }),
    )
    await at.kubectl('host', 'apply', '--server-side', '--field-manager=coe', '--force-conflicts', '-f', file)
    const seen = await apiOf()
    expect(seen).toMatchObject({ healthy: true })
    expect(seen?.name).not.toBe(dead)
    await at.ok(`federation join ${at.name} c3`)
    await at.ok(`federation create ${at.name} --host host`)
    expect(text((await secretOf('admin-kubeconfig')).data, 'server')).toBe(server)
    await at.ok(`federation unjoin ${at.name} c3`)
  })
})

describe.runIf(enough)('keys of authorities that are lost (three nodes; KUBECONFIG, COE_ASSETS)', () => {
  it('are told, and not replaced in silence', async () => {
    await at.kubectl('host', 'delete', 'secret', 'certificate-authorities', ...place())
    const status = await at.run(`federation status ${at.name}`)
    expect(status.code, told('status', status)).toBe(1)
    expect(status.out).toContain('Secret certificate-authorities')
    const line = `federation create ${at.name} --host host`
    const refused = await at.run(line)
    expect(refused.code, told(line, refused)).toBe(5)
    expect(refused.err).toContain('--new-authorities')
  })

  it('are replaced on demand, and all three of etcd come back', { timeout: 900_000 }, async () => {
    await at.ok(`federation create ${at.name} --host host --new-authorities --wait-timeout 12m`)
    await at.ok(`federation status ${at.name}`)
    const etcd = (await secretOf('etcd')).data
    const authorities = (await secretOf('certificate-authorities')).data
    expect(text(etcd, 'etcd-ca.crt')).toBe(text(authorities, 'etcd-ca.crt'))
    expect(await at.ok(`federation create ${at.name} --host host`)).toContain('unchanged')
  })
})
