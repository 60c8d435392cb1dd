/**
 * A member whose keys were replaced, and one that was made anew under its old name, on real clusters. A token with a signature that is
 * none stands for the former: the API server answers 401 to it, as after a change of its keys.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { told } from './scene.ts'

let at: Clusters
beforeAll(async () => {
  if (!clustersThere) return
  at = await openClusters()
  await at.ok(`federation create ${at.name} --host host --expose nodeport --storage emptydir`)
  await at.ok(`federation join ${at.name} c3`)
})
afterAll(async () => {
  if (!at) return
  await at.run(`federation delete ${at.name} --host host --unjoin --yes --ignore-not-found`)
  await at.close()
})

const secret = ['secret', 'karmada-c3', '--namespace', 'karmada-cluster']
const tokenOn = async () => {
  const { data } = JSON.parse(await at.kubectl('c3', 'get', ...secret, '-o', 'json'))
  return Buffer.from(data.token, 'base64').toString()
}
/** Signed by nobody: what the token is worth on both sides after the key has been replaced. */
async function spoil(): Promise<void> {
  const [head, body] = (await tokenOn()).split('.')
  const token = Buffer.from(`${head}.${body}.${'A'.repeat(86)}`).toString('base64')
  await at.kubectl('c3', 'patch', ...secret, '--type=merge', '-p', JSON.stringify({ data: { token } }))
  const mine = ['secret', 'c3', '--namespace', 'karmada-cluster', '-o', 'json']
  const { apiVersion, kind, type, metadata, data } = JSON.parse(await at.kubectl(at.name, 'get', ...mine))
  const { name, namespace, annotations, labels } = metadata
  const object = {
    apiVersion,
    kind,
    type,
    metadata: { name, namespace, annotations, labels },
    data: { ...data, token },
  }
  const file = join(at.folder, 'spoilt.json')
  await writeFile(file, JSON.stringify(object))
  // as coe writes it: fields of somebody else it would not take
  await at.kubectl(at.name, 'apply', '--server-side', '--field-manager=coe', '--force-conflicts', '-f', file)
}

describe.runIf(clustersThere)('a member that refuses the keys of the federation (KUBECONFIG, COE_ASSETS)', () => {
  it('is mended by a join, which waits until the federation has seen it with the new keys', async () => {
    await spoil()
    const dead = await tokenOn()
    expect(await at.ok(`federation join ${at.name} c3`)).toContain('Cluster c3 joined')
    expect(await tokenOn()).not.toBe(dead)
    expect(await at.ok(`federation members ${at.name} -f value -c name -c ready`)).toBe('c3 True\n')
    expect(await at.ok(`federation join ${at.name} c3`)).toContain('is already a member of federation')
  })

  it('cannot leave without an access of the user, and is told so at once', async () => {
    await spoil()
    const file = join(at.folder, 'kubeconfig')
    const before = await readFile(file, 'utf8')
    const config = parse(before)
    config.contexts = config.contexts.filter(({ name }: { name: string }) => name !== 'c3')
    await writeFile(file, stringify(config))
    const line = `federation unjoin ${at.name} c3`
    const refused = await at.run(line)
    await writeFile(file, before)
    expect(refused.code, told(line, refused)).toBe(5)
    expect(refused.err).toContain(`coe --standalone federation unjoin ${at.name} c3 --force`)
    expect(refused.seconds).toBeLessThan(30)
  })

  it('leaves by the access of the user, and leaves nothing behind', async () => {
    const line = `federation unjoin ${at.name} c3`
    const ended = await at.run(line)
    expect(ended.code, told(line, ended)).toBe(0)
    expect(ended.seconds).toBeLessThan(120)
    expect((await at.left()).filter(object => object.startsWith('c3'))).toEqual([])
  })
})

describe.runIf(clustersThere)('a member that was made anew under its old name (KUBECONFIG, COE_ASSETS)', () => {
  /** The context "twin" leads to c2 first and to c3 then: another cluster under the same name. */
  const leadTo = async (context: string) => {
    const file = join(at.folder, 'kubeconfig')
    const config = parse(await readFile(file, 'utf8'))
    const { context: target } = config.contexts.find(({ name }: { name: string }) => name === context)
    const others = config.contexts.filter(({ name }: { name: string }) => name !== 'twin')
    config.contexts = [...others, { name: 'twin', context: target }]
    await writeFile(file, stringify(config))
  }

  it('is refused with the line that takes the old one out, and joins after that', async () => {
    await leadTo('c2')
    await at.ok(`federation join ${at.name} twin`)
    await leadTo('c3')
    const line = `federation join ${at.name} twin`
    const refused = await at.run(line)
    expect(refused.code, told(line, refused)).toBe(5)
    const [, out = ''] = /coe --standalone (federation unjoin \S+ twin --force)/.exec(refused.err) ?? []
    await at.ok(`${out} --yes`)
    expect(await at.ok(line)).toContain('Cluster twin joined')
    await at.ok(`federation unjoin ${at.name} twin`)
    // what the forced one left on the cluster of before
    const roles = 'clusterrole,clusterrolebinding'
    await at.kubectl(
      'c2',
      'delete',
      roles,
      'karmada-controller-manager:karmada-twin',
      'karmada-impersonator',
      '--ignore-not-found',
    )
    await at.kubectl('c2', 'wait', '--for=delete', 'namespace/karmada-cluster', '--timeout=240s')
  })
})
