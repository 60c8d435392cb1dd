import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDriverApi } from '../../../src/drivers/coe-api.ts'
import { besideCoe } from '../../../src/drivers/external.ts'
import { makeRegistry, type RegistrySettings } from '../../../src/drivers/registry.ts'
import { failureOf, kubeWorld } from '../../support/kube.ts'

const coe = makeDriverApi({
  world: kubeWorld(),
  userAgent: 'coe/test',
  signal: new AbortController().signal,
  addSecret: () => {},
  folders: { assets: undefined, cache: undefined },
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coe-registry-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const registry = (settings: Partial<RegistrySettings> = {}) =>
  makeRegistry({ coe, folders: [folder], disabled: [], packages: join(folder, 'none'), ...settings })

const example = (name: string, version = '1.0.0') => `
export default coe => ({
  name: '${name}', version: '${version}', title: 'an example', provides: ['clusters'], options: [],
  clusters: { prefix: 'example', configured: true, list: async () => [{ name: 'one' }],
    find: async name => { throw coe.errors.notFound('there is no ' + name) } },
})`

async function put(name: string, code: string, file = 'driver.mjs', base = folder): Promise<string> {
  const place = join(base, name)
  await mkdir(place, { recursive: true })
  await writeFile(join(place, file), code)
  return place
}

describe('drivers that come with coe', () => {
  it('are known by name, version and what they provide', async () => {
    const entries = await registry({ folders: [] }).list()
    expect(entries.map(e => [e.name, e.facts?.version, e.facts?.provides[0], e.enabled])).toEqual([
      ['karmada_v1', '1.0.0', 'federations', true],
      ['kubeconfig_v1', '1.0.0', 'clusters', true],
      ['magnum_v1', '1.0.0', 'clusters', true],
    ])
  })

  it('are asked in order for clusters, and one that has no cloud says so', async () => {
    const clusters = await registry({ folders: [] }).clusters()
    expect(clusters.map(d => [d.clusters.prefix, d.clusters.configured])).toEqual([
      ['kube', true],
      ['magnum', false],
    ])
    expect(await failureOf(clusters[1]?.clusters.find('prod') as Promise<unknown>)).toMatchObject({
      outcome: 'usage',
      hint: expect.stringContaining('--os-cloud'),
    })
  })

  it('handle what older versions made, and nothing newer', async () => {
    const drivers = registry({ folders: [] })
    expect((await drivers.driver('kubeconfig_v1', '0.9.0')).name).toBe('kubeconfig_v1')
    const newer = await failureOf(drivers.driver('kubeconfig_v1', '1.2.0'))
    expect(newer.message).toBe('this was made by driver kubeconfig_v1 1.2.0, but this coe has 1.0.0')
  })

  it('can be turned off', async () => {
    const drivers = registry({ folders: [], disabled: ['karmada_v1'] })
    expect((await failureOf(drivers.federations('karmada_v1'))).message).toBe('driver "karmada_v1" is disabled')
    expect((await failureOf(drivers.defaultFederations())).message).toContain('no driver that makes federations')
    const only = registry({ folders: [], enabled: ['magnum_v1'] })
    expect((await only.clusters()).map(d => d.name)).toEqual(['magnum_v1'])
  })

  it('say what they do not do', async () => {
    expect((await failureOf(registry({ folders: [] }).federations('magnum_v1'))).message).toBe(
      'driver "magnum_v1" does not make federations; it provides clusters',
    )
    const typo = await failureOf(registry({ folders: [] }).driver('karmda_v1'))
    expect(typo).toMatchObject({ outcome: 'notFound', hint: 'did you mean "karmada_v1"?' })
  })
})

describe('drivers from elsewhere', () => {
  it('are loaded from a folder that the configuration names, and get coe’s errors', async () => {
    await put('example_v1', example('example_v1'))
    const driver = await registry().driver('example_v1', '1.0.0')
    expect(await driver.clusters?.list()).toEqual([{ name: 'one' }])
    expect(await failureOf(driver.clusters?.find('two') as Promise<unknown>)).toMatchObject({ outcome: 'notFound' })
    expect((await registry().clusters()).map(d => d.name)).toEqual(['kubeconfig_v1', 'magnum_v1', 'example_v1'])
  })

  it('are loaded as packages beside coe, and other packages are not', async () => {
    const packages = join(folder, 'node_modules')
    await put('coe-driver-example', example('example_v2'), 'main.mjs', packages)
    await writeFile(join(packages, 'coe-driver-example', 'package.json'), '{"main": "main.mjs"}')
    await put('left-pad', 'throw new Error("nobody loads this")', 'index.js', packages)
    const entries = await registry({ folders: [], packages }).list()
    expect(entries.map(e => e.name)).toEqual(['karmada_v1', 'kubeconfig_v1', 'magnum_v1', 'example_v2'])
    expect((await registry({ folders: [], packages }).driver('example_v2')).version).toBe('1.0.0')
  })

  it.each([
    ['throws when it is loaded', 'throw new Error("boom")', /cannot be loaded: boom/],
    ['has no function to make it', 'export const x = 1', /its default export is not a function/],
    ['has no proper name', example('Example'), /its name must be like example_v1/],
    ['has no version', example('example_v1', 'one'), /its version must be like 1\.0\.0/],
    ['makes nothing', 'export default () => undefined', /its function returned no driver/],
    ['is not JavaScript', 'this is no code', /cannot be loaded/],
  ])('break nothing else, and are told: one that %s', async (_, code, message) => {
    await put('broken_v1', code)
    await put('good_v1', example('good_v1'))
    const entries = await registry().list()
    const broken = entries.find(e => e.origin.endsWith('broken_v1'))
    expect(broken?.error?.message).toMatch(message)
    expect(broken?.error?.message).toContain(join(folder, 'broken_v1'))
    expect(broken?.enabled).toBe(false)
    expect((await registry().driver('good_v1')).name).toBe('good_v1')
    expect((await failureOf(registry().driver('broken_v1'))).message).toMatch(message)
  })

  it('are not run from where others can write', async () => {
    const place = await put('example_v1', example('example_v1'))
    await chmod(place, 0o775)
    expect((await failureOf(registry().driver('example_v1'))).message).toBe(
      `other users can write to ${place}, so coe does not run drivers from it`,
    )
    await chmod(place, 0o755)
    await chmod(join(place, 'driver.mjs'), 0o666)
    expect((await failureOf(registry().driver('example_v1'))).message).toContain(
      'driver.mjs, so coe does not run drivers from it',
    )
    await chmod(folder, 0o777)
    const [refused] = (await registry().list()).filter(e => e.error)
    expect(refused?.error?.hint).toBe(`chmod go-w ${folder}`)
  })

  it('of a name that is taken are told, and the first stays', async () => {
    await put('a', example('kubeconfig_v1', '9.0.0'))
    const twin = (await registry().list()).find(e => e.origin === join(folder, 'a'))
    expect(twin?.error?.message).toBe('there is another driver "kubeconfig_v1" (built in)')
    expect((await registry().driver('kubeconfig_v1')).version).toBe('1.0.0')
  })

  it('in a folder that is not there are told as that', async () => {
    const missing = join(folder, 'missing')
    const [entry] = (await registry({ folders: [missing] }).list()).filter(e => e.error)
    expect(entry?.error).toMatchObject({ message: `the driver folder ${missing} does not exist`, outcome: 'usage' })
  })
})

it('packages are beside coe only where coe itself is one', () => {
  expect(besideCoe('/usr/lib/node_modules/coe/dist/chunks/registry.js')).toBe('/usr/lib/node_modules')
  expect(besideCoe('/home/me/coe/dist/registry.js')).toBeUndefined()
})
