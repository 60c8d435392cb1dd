/**
 * A cluster that a real Magnum made, in a federation that this Magnum knows nothing of: it joins by its name, and Magnum is
 * not asked to delete it while a federation needs it. COE_E2E_MAGNUM_CLUSTER names it; its API must be reachable from here
 * and from the host's pods. It is deleted at the end.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { openstackThere, told } from './scene.ts'

const cluster = process.env.COE_E2E_MAGNUM_CLUSTER ?? ''
const there = Boolean(clustersThere && openstackThere && cluster)
let at: Clusters
/** Half made, on the cluster itself. */
let inner: string

beforeAll(async () => {
  if (!there) return
  at = await openClusters()
  inner = `${at.name}-inner`
})
afterAll(async () => {
  if (!at) return
  await at.run(`federation delete ${inner} --host magnum:${cluster} --yes --ignore-not-found`)
  await at.run(`federation delete ${at.name} --host host --unjoin --yes --ignore-not-found`)
  await at.close()
})

/** In the mode of Magnum, which the name of a cloud asks for. */
const inMagnum = (line: string) => at.run(`--os-cloud ${process.env.OS_CLOUD} ${line}`)

async function refused(says: string, hint: string): Promise<void> {
  const line = `cluster delete ${cluster} --wait`
  const ended = await inMagnum(line)
  expect([ended.code, ended.out], told(line, ended)).toEqual([5, ''])
  expect(ended.err).toContain(`coe: cluster "${cluster}" is ${says}`)
  expect(ended.err).toContain(`coe --os-cloud ${process.env.OS_CLOUD} --standalone federation ${hint}`)
  const shown = await inMagnum(`cluster show ${cluster} -f value -c status`)
  expect(shown.out).toBe('CREATE_COMPLETE\n')
}

describe.runIf(there)('a cluster of a real Magnum (COE_E2E_MAGNUM_CLUSTER)', () => {
  it('is reached with credentials that Magnum signs', async () => {
    const seen = JSON.parse(await at.ok(`cluster show magnum:${cluster} --probe -f json`))
    expect(seen).toMatchObject({ name: cluster, status: 'CREATE_COMPLETE', health_status: 'HEALTHY', member_of: null })
  })

  it('joins a federation by its name, and is Ready there', async () => {
    await at.ok(`federation create ${at.name} --host host --expose nodeport`)
    await at.ok(`federation join ${at.name} magnum:${cluster}`)
    const clusters = await at.kubectl(at.name, 'get', 'clusters', '--no-headers')
    expect(clusters.trim().split(/\s+/).slice(0, 4)).toEqual([cluster, expect.stringMatching(/^v1\./), 'Push', 'True'])
  })

  it('is not deleted while it is a member', async () => {
    await refused(`a member of federation "${at.name}"`, `unjoin ${at.name} ${cluster}\n`)
  })

  it('leaves, and nothing of that federation is left on it', async () => {
    await at.ok(`federation unjoin ${at.name} ${cluster}`)
    await at.ok(`federation delete ${at.name} --yes`)
    expect(await at.left()).toEqual([])
    const seen = JSON.parse(await at.ok(`cluster show magnum:${cluster} --probe -f json`))
    expect(seen).toMatchObject({ member_of: null, host_of: [] })
  })

  it('is not deleted while it is a host, be it of a federation that a killed run left half made', async () => {
    const running = at.start(`federation create ${inner} --host magnum:${cluster} --expose nodeport --storage emptydir`)
    await running.says(/certificates: created/)
    running.kill()
    await running.ended
    await refused(`the host of federation "${inner}"`, `delete ${inner} --host magnum:${cluster}\n`)
    await at.ok(`federation delete ${inner} --host magnum:${cluster} --yes`)
    expect(await at.left(inner)).toEqual([])
  })

  it('is deleted when no federation needs it', async () => {
    const line = `cluster delete ${cluster} --wait`
    const ended = await inMagnum(line)
    expect([ended.code, ended.err.includes('could not check')], told(line, ended)).toEqual([0, false])
  })
})
