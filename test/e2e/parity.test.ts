/**
 * Every command that reads, beside the stock client on the same cloud: table, value, csv or shell, and yaml must be the same
 * byte for byte; json may have nulls where the stock client has a dash or nothing (difference json-nulls).
 * Needs an `openstack` client (or OPENSTACK_CLIENT), 4.0 of python-magnumclient or newer, and OS_CLOUD; COE_E2E_ADMIN_CLOUD for what only administrators may see.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCoe } from '../support/run.ts'
import { openScene, type Scene } from './scene.ts'

const run = promisify(execFile)
const client = process.env.OPENSTACK_CLIENT ?? 'openstack'
const cloudSettings = Object.entries(process.env).filter(([key]) => /^(OS_|HOME$|PATH$|XDG_)/.test(key))
const env = { ...(Object.fromEntries(cloudSettings) as Record<string, string>), LANG: 'C.UTF-8' }
const admin = process.env.COE_E2E_ADMIN_CLOUD

const present = await run(client, ['coe', 'cluster', 'list', '--help'], { env }).then(
  () => true,
  () => false,
)
const missing = !present ? `no "${client}" client with coe` : !process.env.OS_CLOUD ? 'OS_CLOUD is not set' : undefined

interface Reading {
  /** `{cluster}`, `{template}`, `{nodegroup}` and `{project}` stand for what was made for this. */
  line: string
  kind: 'list' | 'show' | 'plain'
  cloud?: string | undefined
  forAdmin?: boolean
}

const formats = {
  list: ['', '-f value', '-f csv', '-f yaml', '-f json'],
  show: ['', '-f value', '-f shell', '-f yaml', '-f json'],
  plain: [''],
} as const

const member: Reading[] = [
  { line: 'cluster list', kind: 'list' },
  { line: 'cluster list --limit 1 --sort-key name --sort-dir desc', kind: 'list' },
  { line: 'cluster list -c name -c status -c nothing --sort-column name', kind: 'list' },
  { line: 'cluster show {cluster}', kind: 'show' },
  { line: 'cluster show {cluster} --max-width 70', kind: 'show' },
  { line: 'cluster template list', kind: 'list' },
  { line: 'cluster template list --fields coe,image_id,labels,public,nothing', kind: 'list' },
  { line: 'cluster template show {template}', kind: 'show' },
  { line: 'cluster template show {template} -c name -c labels -c tags', kind: 'show' },
  { line: 'nodegroup list {cluster}', kind: 'list' },
  { line: 'nodegroup list {cluster} --role worker', kind: 'list' },
  { line: 'nodegroup show {cluster} {nodegroup}', kind: 'show' },
  { line: 'ca show {cluster}', kind: 'plain' },
  { line: 'stats list {project}', kind: 'plain' },
  { line: 'quotas show --project-id {project} --resource Cluster', kind: 'plain' },
]

const administrators: Reading[] = [
  { line: 'service list', kind: 'list' },
  { line: 'quotas list', kind: 'plain' },
  { line: 'quotas list --all-tenants', kind: 'plain' },
  { line: 'stats list {project}', kind: 'plain' },
  { line: 'cluster list', kind: 'list' },
  { line: 'cluster template list', kind: 'list' },
].map(reading => ({ ...reading, kind: reading.kind as Reading['kind'], cloud: admin, forAdmin: true }))

const cases = (readings: readonly Reading[]) =>
  readings.flatMap(reading => formats[reading.kind].map(format => ({ ...reading, format })))

const title = ({ line, format }: { line: string; format: string }) => `${line} ${format || '(no -f)'}`

describe.skipIf(missing !== undefined)(
  `the stock client and coe print the same${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    let home: string
    let scene: Scene
    const names: Record<string, string> = {}
    /** What 4.11 of the stock client shows of a template, in its order. */
    let templateRows: readonly string[] = []

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'coe-parity-'))
      scene = await openScene()
      const template = await scene.makeTemplate('parity', '--labels a=1,b=two --tags x,y')
      const cluster = scene.name('parity')
      await scene.ok(`cluster create ${cluster} --cluster-template ${template} --labels c=d --merge-labels --wait`)
      names.template = template
      names.cluster = cluster
      names.nodegroup = 'default-worker'
      const quota = JSON.parse(await coe('quotas show -f json')) as { project_id: string }
      names.project = quota.project_id
      const shown = JSON.parse(await stock(`cluster template show ${template} -f json`)) as object
      if ('project_id' in shown) templateRows = Object.keys(shown)
    })
    afterAll(async () => {
      await scene.close()
      await rm(home, { recursive: true, force: true })
    })

    /** The newer client has a row more: coe has it when it is asked for, in the same place (difference template-project). */
    const rowsOf = (line: string): string =>
      /^cluster template show/.test(line) && !/ -c /.test(line) ? templateRows.map(row => ` -c ${row}`).join('') : ''

    async function coe(line: string, cloud?: string): Promise<string> {
      // settings of the user's own stay out of it; the home folder is for the cache of tokens
      const { code, out, err } = await runCoe(line, {
        env: { ...env, ...(cloud ? { OS_CLOUD: cloud } : {}), XDG_CACHE_HOME: home },
        home: process.env.HOME,
      })
      expect(err.replace(/^.*unknown column.*\n/m, ''), `coe ${line}`).toBe('')
      expect(code, `coe ${line}`).toBe(0)
      return out
    }

    async function stock(line: string, cloud?: string): Promise<string> {
      const { stdout } = await run(client, ['coe', ...line.split(' ')], {
        env: { ...env, ...(cloud ? { OS_CLOUD: cloud } : {}) },
      })
      return stdout
    }

    for (const reading of [...cases(member), ...cases(administrators)]) {
      const { line, format, cloud, forAdmin } = reading
      it(`${title(reading)}${forAdmin ? ' as an administrator' : ''}`, async context => {
        if (forAdmin && !admin) return context.skip('COE_E2E_ADMIN_CLOUD is not set')
        const full = `${line} ${format}`.trim().replace(/\{(\w+)\}/g, (_, name: string) => names[name] as string)
        // others may be at work on the same cloud: what they change between two looks is no difference
        const asked = full + rowsOf(full)
        let ours = await coe(asked, cloud)
        let theirs = await stock(full, cloud)
        const pair = () => (format === '-f json' ? comparable(ours, theirs) : [ours, theirs])
        for (let looks = 1; looks < 4 && pair()[0] !== pair()[1]; looks++) {
          if (looks % 2) ours = await coe(asked, cloud)
          else theirs = await stock(full, cloud)
        }
        expect(pair()[0]).toBe(pair()[1])
      })
    }
  },
)

/** Same keys in the same order, same values; null where the stock client has a dash or an empty text. */
function comparable(ours: string, theirs: string): [ours: string, theirs: string] {
  const merged = (a: unknown, b: unknown): unknown => {
    if (a === null && (b === '-' || b === '')) return b
    if (Array.isArray(a) && Array.isArray(b)) return a.map((item, i) => merged(item, b[i]))
    if (isObject(a) && isObject(b)) return Object.fromEntries(Object.entries(a).map(([k, v]) => [k, merged(v, b[k])]))
    return a
  }
  const parsed = JSON.parse(theirs)
  return [JSON.stringify(merged(JSON.parse(ours), parsed)), JSON.stringify(parsed)]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
