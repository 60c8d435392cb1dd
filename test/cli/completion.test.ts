/** What is offered on Tab: in process, and through the scripts in the shells that this machine has. */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/time.ts'
import type { Clock } from '../../src/core/world.ts'
import { startCloud, type TestCloud } from '../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 3, federation: 'working' })
})
afterAll(() => cloud.close())

/** How long a person waits for Tab is tried below; here a busy machine may take longer. */
const patient: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms * 100, signal) }

const offered = async (...words: string[]) => {
  const { code, out, err } = await cloud.run(['__complete', ...words], { clock: patient })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const lines = out.trimEnd().split('\n')
  return { values: lines.slice(0, -1).map(l => l.split('\t')[0]), shell: lines.at(-1) }
}

describe('completion', () => {
  it('offers words, and what they do', async () => {
    expect((await offered('clu')).values).toEqual(['cluster'])
    expect((await offered('cluster', 're')).values).toEqual(['resize'])
    expect((await offered('help', 'cluster', 'sho')).values).toEqual(['show'])
    expect((await offered('sandbox', 'serv')).values).toEqual([])
  })

  it('offers options, their values, and columns', async () => {
    expect((await offered('cluster', 'list', '--sort-c')).values).toEqual(['--sort-column'])
    expect((await offered('cluster', 'list', '-f', 'j')).values).toEqual(['json'])
    expect((await offered('cluster', 'list', '--format=y')).values).toEqual(['--format=yaml'])
    expect((await offered('cluster', 'list', '-c', 'node')).values).toEqual(['node_count'])
    expect((await offered('cluster', 'list', '--status', 'CREATE_F')).values).toEqual(['CREATE_FAILED'])
  })

  it('offers names that only the cloud knows, each once', async () => {
    expect((await offered('cluster', 'show', '')).values).toEqual(['cluster1', 'cluster2', 'cluster3'])
    expect((await offered('cluster', 'delete', 'cluster2', '')).values).toEqual(['cluster1', 'cluster3'])
    expect((await offered('nodegroup', 'show', 'cluster1', '')).values).toEqual(['default-master', 'default-worker'])
  })

  it('asks the cloud once for what Tab wants twice, and again after a change', async () => {
    const asked = () => cloud.sandbox.log.all().filter(e => e.service === 'magnum').length
    await offered('cluster', 'delete', '')
    const before = asked()
    expect((await offered('cluster', 'delete', 'cluster2')).values).toEqual(['cluster2'])
    expect(asked()).toBe(before)
    expect((await cloud.run('cluster create newcomer --cluster-template k8s')).err).toBe('')
    expect((await offered('cluster', 'delete', '')).values).toContain('newcomer')
    expect((await cloud.run('cluster delete newcomer --wait')).code).toBe(0)
    expect((await offered('cluster', 'delete', '')).values).toEqual(['cluster1', 'cluster2', 'cluster3'])
  })

  it('keeps names for half a minute, and asks again where the environment says something else', async () => {
    let now = systemClock.now()
    const clock: Clock = { now: () => now, sleep: patient.sleep }
    const answer = (env = {}) => cloud.run(['__complete', 'cluster', 'template', 'show', ''], { clock, env })
    const asked = async (env = {}) => {
      const before = cloud.sandbox.log.all().length
      expect((await answer(env)).out).toContain('k8s')
      return cloud.sandbox.log.all().length > before
    }
    expect(await asked()).toBe(true)
    now += 29_000
    expect(await asked()).toBe(false)
    expect(await asked({ OS_INTERFACE: 'public' })).toBe(true)
    now += 2_000
    expect(await asked()).toBe(true)
  })

  it('offers the contexts of the kubeconfig where one is wanted', async () => {
    const kubeconfig = join(cloud.home, 'contexts')
    const context = (name: string) => ({ name, context: { cluster: 'a', user: 'a' } })
    await writeFile(kubeconfig, JSON.stringify({ contexts: [context('c1'), context('c2')] }))
    const words = ['--standalone', '--kubeconfig', kubeconfig, 'federation']
    expect((await offered(...words, 'list', '--host', '')).values).toEqual(['c1', 'c2'])
    expect((await offered(...words, 'create', 'myfed', '--host', 'c2')).values).toEqual(['c2'])
    expect((await offered(...words, 'unjoin', 'myfed', '--cluster-context=')).values).toHaveLength(2)
  })

  it('offers drivers, and those that make federations where one is chosen', async () => {
    expect((await offered('driver', 'show', 'k')).values).toEqual(['karmada_v1', 'kubeconfig_v1'])
    expect((await offered('federation', 'create', 'myfed', '--driver', '')).values).toEqual(['karmada_v1'])
    expect((await offered('federation', 'images', '--driver=kar')).values).toEqual(['--driver=karmada_v1'])
  })

  it('leaves files and folders to the shell', async () => {
    expect(await offered('cluster', 'list', '--os-cacert', '')).toEqual({ values: [], shell: ':files' })
    for (const option of ['--file', '--kubeconfig-out']) {
      expect(await offered('federation', 'create', option, '')).toEqual({ values: [], shell: ':files' })
    }
    expect(await offered('cluster', 'config', 'cluster1', '--dir', '')).toEqual({ values: [], shell: ':folders' })
  })

  it('waits for a second, and no longer, for a cloud that does not answer', async () => {
    const fault = cloud.sandbox.faults.order({ times: 99, effect: { kind: 'silence-before' } })
    const slept: number[] = []
    const clock: Clock = {
      now: systemClock.now,
      async sleep(ms) {
        slept.push(ms)
      },
    }
    const { code, out, err } = await cloud.run(['__complete', 'cluster', 'show', ''], { clock })
    fault.remove()
    expect({ code, out, err, slept }).toEqual({ code: 0, out: ':none\n', err: '', slept: [1_000] })
  })

  it('is silent when nothing can be asked', async () => {
    const { code, out, err } = await cloud.run(['__complete', 'cluster', 'show', ''], {
      env: { OS_PASSWORD: 'wrong', COE_TOKEN_CACHE: 'false' },
    })
    expect({ code, out, err }).toEqual({ code: 0, out: ':none\n', err: '' })
    expect((await cloud.run(['__complete', 'no-such-word', ''])).out).toBe(':none\n')
  })
})

const script = (name: string) => fileURLToPath(new URL(`../../completions/${name}`, import.meta.url))
const has = (shell: string) => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0

/** A stand-in for coe that answers as it does, so that only the script is tried. */
const answers = `coe() { printf '%s\\t%s\\n' --format=json 'a format' --format=yaml 'another'; echo :none; }`

describe('the script', () => {
  it.skipIf(!has('bash'))('for bash can be read twice, and completes behind an equal sign', () => {
    const lines = [
      answers,
      `source ${script('coe.bash')}`,
      `source ${script('coe.bash')}`,
      'COMP_WORDS=(coe cluster list --format = ""); COMP_CWORD=5; _coe_complete',
      'declare -p COMPREPLY',
    ]
    const out = execFileSync('bash', ['--norc', '-c', lines.join('\n')], { encoding: 'utf8' })
    expect(out).toContain('([0]="json" [1]="yaml")')
  })

  it.skipIf(!has('zsh'))('for zsh is sound', () => {
    expect(spawnSync('zsh', ['-n', script('_coe')]).status).toBe(0)
  })

  it.skipIf(!has('fish'))('for fish is sound', () => {
    expect(spawnSync('fish', ['-n', script('coe.fish')]).status).toBe(0)
  })
})
