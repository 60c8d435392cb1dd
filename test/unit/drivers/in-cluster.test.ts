/** In a pod there is no kubeconfig: the account that Kubernetes mounts is the one context, and leads to its own cluster. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inClusterAccess } from '../../../src/config/kubeconfig/kubeconfig.ts'
import { makeDriverApi } from '../../../src/drivers/coe-api.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { kubeWorld } from '../../support/kube.ts'

let sandbox: KubeSandbox
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  folder = await mkdtemp(join(tmpdir(), 'coe-pod-'))
  await writeFile(join(folder, 'token'), `${sandbox.host.staticToken('pod', ['system:masters'])}\n`)
  await writeFile(join(folder, 'ca.crt'), sandbox.host.caCertificate)
  const { hostname, port } = new URL(sandbox.host.url)
  env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

const secrets: string[] = []
const apiIn = (given: Record<string, string>) =>
  makeDriverApi({
    world: kubeWorld({ env: given }),
    userAgent: 'coe/test',
    signal: new AbortController().signal,
    addSecret: value => void secrets.push(value),
    folders: { assets: undefined, cache: undefined },
    inCluster: world => inClusterAccess(world, folder),
  })

it('is entered as the context in-cluster, with the token of the pod', async () => {
  const coe = apiIn(env)
  expect(await coe.contexts()).toEqual(['in-cluster'])
  const api = coe.connect(await coe.context('in-cluster'))
  expect(await api.identity()).toMatch(/^[0-9a-f-]{36}$/)
  expect(secrets.length).toBeGreaterThan(0)
})

it('is the one that is meant where none is named', async () => {
  const coe = apiIn(env)
  expect((await coe.context(undefined)).name).toBe('in-cluster')
})

it('stands back for a kubeconfig that has contexts', async () => {
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, sandbox.kubeconfig)
  const coe = apiIn({ ...env, KUBECONFIG: kubeconfig })
  expect(await coe.contexts()).toEqual(['host'])
})

it('is not there outside of pods', async () => {
  expect(await apiIn({}).contexts()).toEqual([])
})
