/** Clusters that do not answer, and clusters behind credential plugins, from a machine that never saw the federation. */
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { faultsThere, healed, start, stop } from './fault.ts'
import { told } from './scene.ts'

/** Who made it, and somebody else. */
let maker: Clusters
let at: Clusters
beforeAll(async () => {
  if (!clustersThere) return
  maker = await openClusters()
  at = await openClusters()
  for (const context of await at.contexts()) {
    if (!['host', 'c2', 'c3'].includes(context)) await at.kubectl('host', 'config', 'delete-context', context)
  }
  // its record is all that is needed: nobody waits for an engine
  await maker.ok(`federation create ${maker.name} --host c2 --expose nodeport --storage emptydir --no-wait`)
})
afterAll(async () => {
  if (!maker) return
  await healed()
  await maker.ok(`federation delete ${maker.name} --host c2 --yes --ignore-not-found`)
  expect(await maker.left()).toEqual([])
  await maker.close()
  await at.close()
})

describe.runIf(clustersThere && faultsThere)('a federation whose host does not answer (COE_E2E_FAULT)', () => {
  it('is not missing: every verb fails, and names who was not asked', async () => {
    await stop('c2')
    const lines = ['show', 'status', 'members', 'delete --yes --ignore-not-found'].map(words => {
      const [verb, ...rest] = words.split(' ')
      return ['federation', verb, maker.name, ...rest].join(' ')
    })
    for (const line of [...lines, `federation join ${maker.name} c3`, `federation unjoin ${maker.name} c3`]) {
      const ended = await at.run(line)
      expect(ended.code, told(line, ended)).toBe(1)
      expect(ended.err, told(line, ended)).toContain('1 of 3 clusters did not answer')
      expect(ended.err).toContain('the API server of "c2"')
    }
  })

  it('is found when it answers again, and remembered: then its silence is the first thing that is told', async () => {
    await start('c2')
    expect(await at.ok(`federation show ${maker.name} -f value -c name`)).toBe(`${maker.name}\n`)
    await stop('c2')
    const ended = await at.run(`federation delete ${maker.name} --yes --ignore-not-found`)
    expect(ended.code, told('delete', ended)).toBe(1)
    expect(ended.err).toContain('the API server of host "c2"')
    await start('c2')
  })
})

describe.runIf(clustersThere)('where all answer', () => {
  it('what is nowhere is missing', async () => {
    const ended = await at.run(`federation show ${maker.name}-x`)
    expect(ended.code, told('show', ended)).toBe(3)
    await at.ok(`federation delete ${maker.name}-x --yes --ignore-not-found`)
  })
})

describe.runIf(clustersThere)('a context with a credential plugin, as managed clouds write it', () => {
  /** It hands out the certificate of the lab's own user, and writes down how it was called. */
  const usePlugin = async (more: object) => {
    const kubeconfig = join(at.folder, 'kubeconfig')
    const config = parse(await readFile(kubeconfig, 'utf8'))
    const { user: name } = config.contexts.find((c: { name: string }) => c.name === 'c2').context
    const entry = config.users.find((u: { name: string }) => u.name === name)
    const decode = (key: string) => Buffer.from(entry.user[key], 'base64').toString()
    const apiVersion = 'client.authentication.k8s.io/v1'
    const status = {
      clientCertificateData: decode('client-certificate-data'),
      clientKeyData: decode('client-key-data'),
    }
    const answer = join(at.folder, 'answer.json')
    await writeFile(answer, JSON.stringify({ apiVersion, kind: 'ExecCredential', status }), { mode: 0o600 })
    const plugin = join(at.folder, 'plugin')
    const calls = join(at.folder, 'calls')
    await writeFile(plugin, `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO" >> ${calls}\ncat ${answer}\n`)
    await chmod(plugin, 0o700)
    entry.user = { exec: { apiVersion, command: plugin, ...more } }
    const path = join(at.folder, `with-plugin-${Object.keys(more).length}`)
    await writeFile(path, stringify(config), { mode: 0o600 })
    return {
      path,
      calls: async () => (await readFile(calls, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean),
    }
  }

  it('is asked by list, --probe, doctor and the search', async () => {
    const { path, calls } = await usePlugin({})
    const names = await at.ok(`federation list --all-contexts -f value -c name --kubeconfig ${path}`)
    expect(names.split('\n')).toContain(maker.name)
    const probed = JSON.parse(await at.ok(`cluster list --probe -f json --kubeconfig ${path}`))
    expect(probed.find((c: { name: string }) => c.name === 'c2')).toMatchObject({ health_status: 'HEALTHY' })
    await at.ok(`doctor --kubeconfig ${path}`)
    expect(await at.ok(`federation show ${maker.name} -f value -c name --kubeconfig ${path}`)).toBe(`${maker.name}\n`)
    const told = await calls()
    expect(told.length).toBeGreaterThanOrEqual(3)
    for (const call of told) expect(JSON.parse(call).spec.interactive).toBe(false)
  })

  it('is left out where its plugin must ask', async () => {
    const { path, calls } = await usePlugin({ interactiveMode: 'Always' })
    const before = (await calls()).length
    const ended = await at.run(`federation list --all-contexts --kubeconfig ${path}`)
    expect(ended.code, told('list', ended)).toBe(6)
    expect(ended.err).toContain('(interactiveMode: Always); it was not started')
    expect((await calls()).length).toBe(before)
  })
})
