/** Flags of templates that come in pairs or need a newer server: what is sent for each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { changesSent } from '../../support/sent.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1, magnumMax: '1.14' })
})
afterAll(() => cloud.close())

const create = 'cluster template create --coe kubernetes --image fedora-coreos-38 --external-network public'

async function sent(line: string, user = 'admin') {
  const { code, err } = await cloud.as(user, 'demo')(`${line} --trace`)
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
  return changesSent(err).map(s => s.body)
}

describe('a template', () => {
  it('is hidden or visible, and made by a driver of choice', async () => {
    expect(await sent(`${create} t-hidden --hidden`)).toMatchObject([{ hidden: true }])
    expect((await sent(`${create} t-visible --visible`))[0]).not.toHaveProperty('hidden', true)
    expect(await sent(`${create} t-driver --driver k8s_fedora_coreos_v1`)).toMatchObject([
      { driver: 'k8s_fedora_coreos_v1' },
    ])
    const both = await cloud.run(`${create} t-both --hidden --visible`)
    expect(both.code).toBe(2)
  })

  it('changes by flags: one replace for each', async () => {
    await sent(`${create} t-change --tls-disabled --registry-enabled`)
    const replaced = async (flags: string) =>
      (await sent(`cluster template update t-change ${flags}`))
        .flat()
        .map((p: { op: string; path: string; value: unknown }) => [p.op, p.path, p.value])
    expect(await replaced('--registry-disabled')).toEqual([['replace', '/registry_enabled', false]])
    expect(await replaced('--tls-enabled')).toEqual([['replace', '/tls_disabled', false]])
    expect(await replaced('--hidden')).toEqual([['replace', '/hidden', true]])
    expect(await replaced('--visible')).toEqual([['replace', '/hidden', false]])
    expect(await replaced('--driver k8s_fedora_coreos_v1')).toEqual([['replace', '/driver', 'k8s_fedora_coreos_v1']])
    expect(await replaced('--tls-disabled')).toEqual([['replace', '/tls_disabled', true]])
    expect(await replaced('--master-lb-enabled')).toEqual([['replace', '/master_lb_enabled', true]])
    expect(await replaced('--master-lb-disabled')).toEqual([['replace', '/master_lb_enabled', false]])
    expect(await replaced('--floating-ip-disabled')).toEqual([['replace', '/floating_ip_enabled', false]])
    expect(await replaced('--floating-ip-enabled')).toEqual([['replace', '/floating_ip_enabled', true]])
  })

  it('changes by fields: each goes to the name that Magnum has for it', async () => {
    const fields = {
      'master-flavor': ['master_flavor_id', 'm1.medium'],
      keypair: ['keypair_id', 'otherkey'],
      'external-network': ['external_network_id', 'public'],
      'fixed-network': ['fixed_network', 'private'],
      'fixed-subnet': ['fixed_subnet', 'private-subnet'],
      'volume-driver': ['volume_driver', 'cinder'],
      'dns-nameserver': ['dns_nameserver', '1.1.1.1'],
      'docker-storage-driver': ['docker_storage_driver', 'overlay2'],
      'http-proxy': ['http_proxy', 'http://p'],
      'https-proxy': ['https_proxy', 'http://q'],
      'no-proxy': ['no_proxy', 'local'],
      'insecure-registry': ['insecure_registry', 'reg:5000'],
    }
    await sent(`${create} t-fields`)
    const words = Object.entries(fields).map(([option, [, value]]) => `--${option} ${value}`)
    const [patch] = await sent(`cluster template update t-fields ${words.join(' ')}`)
    const expected = Object.values(fields).map(([path, value]) => ({ op: 'replace', path: `/${path}`, value }))
    expect(patch).toHaveLength(expected.length)
    expect(patch).toEqual(expect.arrayContaining(expected))
  })

  it('is public where an administrator says so', async () => {
    expect(await sent(`${create} t-public --public`)).toMatchObject([{ public: true }])
  })
})

describe('coe cluster config --use-certificate', () => {
  it('is what happens without it', async () => {
    const { code, out } = await cloud.run('cluster config cluster1 --stdout --use-certificate')
    expect(code).toBe(0)
    expect(out).toContain('client-certificate-data:')
  })
})
