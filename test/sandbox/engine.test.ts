/** The engine alone, as a server would use it: no home folder, no kubeconfig, no files on this machine. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDriverApi } from '../../src/drivers/coe-api.ts'
import { makeRegistry } from '../../src/drivers/registry.ts'
import { inlineAccess } from '../../src/kube/access/connect.ts'
import { silentReport } from '../../src/model/call.ts'
import type { ScopedOperation } from '../../src/model/operation.ts'
import { definitionArchive } from '../../src/sandbox/karmada/definition-archive.ts'
import { type KubeSandbox, startKubeSandbox } from '../../src/sandbox/kube/start.ts'
import type { EngineDeps } from '../../src/standalone/deps.ts'
import { decideCreation } from '../../src/standalone/federations/creation.ts'
import { creationPlan, makeFederation } from '../../src/standalone/federations/make.ts'
import { readRecord } from '../../src/standalone/records/record.ts'
import { adminAccess, connectAdmin, kubeWorld } from '../support/kube.ts'

let sandbox: KubeSandbox
let folder: string
beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  folder = await mkdtemp(join(tmpdir(), 'coe-engine-'))
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

it('creates a federation, and writes nothing on the machine', async () => {
  const { signal } = new AbortController()
  const { archive, digest } = definitionArchive()
  const crds = join(folder, 'crds.tar.gz')
  await writeFile(crds, archive)
  // no HOME, no KUBECONFIG, no XDG_*: a file that the engine wanted to keep could only be in the folder that it works in
  const world = kubeWorld({ cwd: folder })
  const coe = makeDriverApi({
    world,
    userAgent: 'coe/engine',
    signal,
    addSecret() {},
    folders: { assets: undefined, cache: undefined },
  })
  const drivers = makeRegistry({ coe, folders: [], disabled: [] })
  const { pid, hostname, clock } = world
  const call = { signal, caller: { name: hostname, interactive: false }, report: silentReport }
  const deps: EngineDeps = { world: { pid, hostname, clock }, drivers, call, webhook: undefined, noteOnce() {} }
  const op: ScopedOperation = { ...call, wait: true, waitTimeoutMs: 120_000, dryRun: false }
  const api = await connectAdmin(sandbox.host)
  const access = inlineAccess(await adminAccess(sandbox.host))
  const host = { reference: 'host', name: 'host', access, api, uid: await api.identity({ signal }) }
  const options = { expose: 'nodeport', crds, 'crds-digest': digest }
  const request = { name: 'myfed', properties: { team: 'a' }, defaults: {}, engine: { options } }
  const creation = await decideCreation(
    deps,
    { request, place: {}, host, contextName: 'myfed', kubeconfigs: [] },
    undefined,
  )
  const entered: string[] = []
  const events = {
    async recorded() {},
    async entered(_: unknown, { server }: { server: string }) {
      entered.push(server)
      return true
    },
  }
  const made = await makeFederation(deps, creation, await creationPlan(creation, op), events, op)
  expect(made).toMatchObject({ kind: 'created', server: entered[0] })
  expect(await readRecord(api, 'coe-fed-myfed', signal)).toMatchObject({
    state: 'created',
    properties: { team: 'a' },
    history: [{ verb: 'create', result: 'done' }],
  })
  expect(await readdir(folder)).toEqual(['crds.tar.gz'])
})
