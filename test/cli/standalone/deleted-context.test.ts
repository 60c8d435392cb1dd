/** Entries of a federation in a kubeconfig that somebody has edited: what leads to it is coe's to replace, and nothing else is. */
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

interface Entry {
  name: string
  context?: Record<string, unknown>
  cluster?: Record<string, unknown>
  user?: Record<string, unknown>
}
type Config = Record<'clusters' | 'contexts' | 'users', Entry[]>

const create = 'federation create myfed --host host --expose nodeport'
const merge = 'federation kubeconfig myfed --merge'

let lab: StandaloneLab
let before: string
let made: string
beforeAll(async () => {
  lab = await startLab({ members: 1 })
  before = await readFile(lab.kubeconfig, 'utf8')
  expect(await lab.run(create)).toMatchObject({ code: 0 })
  made = await readFile(lab.kubeconfig, 'utf8')
})
afterAll(() => lab.close())
beforeEach(() => writeFile(lab.kubeconfig, made))

async function edit(change: (config: Config) => void): Promise<void> {
  const config = parse(made) as Config
  change(config)
  await writeFile(lab.kubeconfig, stringify(config))
}

const without = (entries: Entry[]) => entries.filter(e => e.name !== 'myfed')
const federations = (entries: Entry[]) => entries.find(e => e.name === 'myfed') as Entry
/** As a coe wrote it that marked contexts alone. */
function strip(config: Config): void {
  for (const entry of [...config.clusters, ...config.users, ...config.contexts]) {
    for (const part of [entry.cluster, entry.user, entry.context]) delete part?.extensions
  }
}

describe('what leads to the federation is replaced', () => {
  const cases: [string, (config: Config) => void][] = [
    ['"kubectl config delete-context" took its context', c => (c.contexts = without(c.contexts))],
    [
      'the same, in a kubeconfig of an earlier coe',
      c => {
        strip(c)
        c.contexts = without(c.contexts)
      },
    ],
    ['another program dropped the notes of coe', strip],
    [
      'the user alone is left',
      c => {
        strip(c)
        c.contexts = without(c.contexts)
        c.clusters = without(c.clusters)
      },
    ],
    [
      'the address is written with a slash, and the user is of another certificate',
      c => {
        strip(c)
        c.contexts = without(c.contexts)
        const cluster = federations(c.clusters).cluster as Record<string, unknown>
        cluster.server = `${cluster.server}/`
        federations(c.users).user = { token: 'abc' }
      },
    ],
    ['the context was renamed', c => (federations(c.contexts).name = 'mine')],
  ]
  it.each(cases)('%s', async (_, change) => {
    for (const line of [merge, create]) {
      await edit(change)
      expect(await lab.run(`${create} --dry-run`)).toMatchObject({ code: 0 })
      expect(await lab.run(line)).toMatchObject({ code: 0 })
      const now = parse(await readFile(lab.kubeconfig, 'utf8')) as Config
      for (const section of ['clusters', 'users', 'contexts'] as const) {
        expect(federations(now[section])).toEqual(federations((parse(made) as Config)[section]))
      }
      expect(await lab.run(create)).toMatchObject({ code: 0, out: expect.stringContaining('unchanged') })
    }
  })
})

describe('what does not lead to it is refused', () => {
  const cases: [string, (config: Config) => void, string][] = [
    [
      'a cluster of its name at another address',
      c => {
        c.contexts = without(c.contexts)
        federations(c.clusters).cluster = { server: 'https://elsewhere:6443' }
      },
      'a cluster "myfed"',
    ],
    [
      'one with another authority',
      c => {
        strip(c)
        const { cluster } = c.clusters.find(e => e.name === 'c2') as Entry
        Object.assign(federations(c.clusters).cluster ?? {}, {
          'certificate-authority-data': cluster?.['certificate-authority-data'],
        })
      },
      'a context "myfed"',
    ],
    [
      'a user of its name that another cluster needs',
      c => {
        strip(c)
        c.contexts = [...without(c.contexts), { name: 'mine', context: { cluster: 'c2', user: 'myfed' } }]
        federations(c.users).user = { token: 'abc' }
      },
      'a user "myfed"',
    ],
  ]
  it.each(cases)('%s', async (_, change, says) => {
    await edit(change)
    const text = await readFile(lab.kubeconfig, 'utf8')
    for (const line of [merge, create, `${create} --dry-run`]) {
      const refused = await lab.run(line)
      expect(refused).toMatchObject({
        code: 5,
        err: expect.stringContaining(`already has ${says}, and coe did not make it`),
      })
    }
    expect(await readFile(lab.kubeconfig, 'utf8')).toBe(text)
  })
})

it('a deletion takes out what is left of it, and the next federation of that name is not in its own way', async () => {
  for (const section of ['contexts', 'clusters', 'users'] as const) {
    await edit(config => (config[section] = without(config[section])))
    expect(await lab.run('federation delete myfed --yes')).toMatchObject({ code: 0 })
    expect(parse(await readFile(lab.kubeconfig, 'utf8'))).toEqual(parse(before))
    expect(await lab.run(create)).toMatchObject({ code: 0 })
    made = await readFile(lab.kubeconfig, 'utf8')
  }
})
