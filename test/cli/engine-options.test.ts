/** The options that an engine brings along: `federation create`, its old spelling `init`, and `images` take the same ones. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { facts } from '../../src/drivers/karmada_v1/version.ts'
import { type StandaloneLab, startLab } from '../support/standalone.ts'

let lab: StandaloneLab
let archive: string
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  archive = `${lab.env.COE_ASSETS}/karmada-crds-v1.18.2.tar.gz`
})
afterAll(() => lab.close())

/** A value that differs from the default, for each option that takes free text. */
const samples: Record<string, () => string> = {
  'advertise-address': () => 'fed.example.com',
  'api-port': () => '31555',
  'storage-class': () => 'fast',
  'storage-size': () => '7Gi',
  'image-registry': () => 'mirror.example.com/k',
  'image-pull-secret': () => 'login',
  toleration: () => 'dedicated=fed:NoSchedule',
  'node-selector': () => 'pool=fed',
  requests: () => 'etcd:cpu=200m,memory=300Mi',
  limits: () => 'etcd:cpu=2,memory=2Gi',
  'priority-class': () => 'system-cluster-critical',
  crds: () => archive,
  'crds-digest': () => lab.env.COE_CRDS_DIGEST as string,
}

function words(option: (typeof facts.options)[number]): string[] {
  if (option.type === 'flag') return [`--${option.name}`]
  if (option.type === 'choice') return [`--${option.name}`, option.choices?.at(-1) as string]
  const sample = samples[option.name]
  if (!sample) throw new Error(`give --${option.name} a sample value in this test`)
  return [`--${option.name}`, sample()]
}

const taking = (verb: 'create' | 'images') =>
  facts.options.filter(option => option.commands.includes(`federation ${verb}`))

describe('coe federation images', () => {
  it.each(taking('images').map(option => [option.name, option] as const))('takes --%s', async (_, option) => {
    const r = await lab.run(['federation', 'images', ...words(option), '-f', 'value', '-c', 'image'])
    expect(r).toMatchObject({ code: 0, err: '' })
    expect(r.out).toContain('etcd:')
  })

  it('takes an engine by name, and its options by --driver-option', async () => {
    const line = 'federation images --driver karmada_v1 --driver-option image-registry=mirror.example.com/k'
    const r = await lab.run(`${line} -f value -c image`)
    expect([r.code, r.out]).toEqual([0, expect.stringMatching(/^(mirror\.example\.com\/k\/\S+\n)+$/)])
  })
})

describe('coe init', () => {
  const place = [
    '--dns-zone',
    'example.com',
    '--context-name',
    'ours',
    '--kubeconfig-out',
    'ours.kubeconfig',
    '--adopt',
  ]
  const plan = async (verb: string[], more: string[]) => {
    const r = await lab.run([...verb, 'fed', '--host', 'host', ...place, ...more, '--dry-run'])
    expect(r.err).not.toContain('unknown option')
    return { ...r, err: r.err.replaceAll(`coe --standalone ${verb.join(' ')}`, 'coe --standalone VERB') }
  }

  it.each(taking('create').map(option => [option.name, option] as const))(
    'plans with --%s what federation create plans',
    async (_, option) => {
      const more = [...words(option), ...(option.name === 'expose' ? [] : ['--expose', 'nodeport'])]
      expect(await plan(['init'], more)).toEqual(await plan(['federation', 'create'], more))
    },
  )

  it('takes an engine by name, and its options by --driver-option', async () => {
    const more = ['--driver', 'karmada_v1', '--driver-option', 'expose=nodeport', '--wait', '--wait-timeout', '5m']
    expect(await plan(['init'], more)).toEqual(await plan(['federation', 'create'], more))
  })

  it('reads a file, joins clusters, and is begun without waiting', async () => {
    const file = join(lab.home, 'fed.yaml')
    await writeFile(file, 'name: fed\nhostcluster: host\nsettings: {expose: nodeport}\n')
    const both = async (more: string[]) => {
      const [old, now] = await Promise.all(
        [['init'], ['federation', 'create']].map(verb => lab.run([...verb, ...more])),
      )
      expect(old).toMatchObject({ code: 0 })
      expect(old?.out).toBe(now?.out)
    }
    await both(['--file', file, '--dry-run'])
    await both(['fed', '--host', 'host', '--expose', 'nodeport', '--join', '--dry-run'])
    const begun = await lab.run(['init', 'fed', '--host', 'host', '--expose', 'nodeport', '--no-wait', '-f', 'json'])
    expect([begun.code, JSON.parse(begun.out).result]).toEqual([0, 'accepted'])
  })
})
