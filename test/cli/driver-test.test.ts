/** The suite that an author runs on a driver: sound drivers pass it, and a broken one fails the check that is about what is broken. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFork } from '../../build/forks.mjs'
import { forkDriver } from '../../src/commands/driver/fork.ts'
import { type RunResult, runCoe } from '../support/run.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coe-driver-test-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const run = (line: string): Promise<RunResult> => runCoe(line, { home, cwd: home })

interface Check {
  check: string
  result: string
  detail: string | null
}

async function tested(driver: string, more = ''): Promise<{ code: number; checks: Check[]; not: Check[] }> {
  const r = await run(`driver test ${driver} --kills 1 -f json ${more}`)
  const checks: Check[] = JSON.parse(r.out || '[]')
  return { code: r.code, checks, not: checks.filter(one => one.result !== 'passed') }
}

let copies = 0
/** Of the clusters' driver in the tests; each has a folder of its own, for Node keeps what it has loaded. */
async function toy(...changes: (readonly [file: string, from: string, to: string])[]): Promise<string> {
  const folder = join(home, `copy${copies++}`, 'toy_v1')
  await cp(join(root, 'test/drivers/toy_v1'), folder, { recursive: true })
  for (const [file, from, to] of changes) {
    const text = await readFile(join(folder, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(folder, file), text.replace(from, to))
  }
  return folder
}

it.concurrent('passes a driver that makes clusters, with the whole table', async () => {
  const { code, checks, not } = await tested(await toy(), '--label kube_tag=v1.33.0 --driver-option any=thing')
  expect({ code, not }).toEqual({ code: 0, not: [] })
  expect(checks.map(one => one.check)).toEqual([
    ...['loads', 'unknown-names', 'templates', 'dry-run-create', 'create', 'create-again', 'resize', 'nodegroups'],
    ...['owner', 'secrets', 'delete', 'killed-create', 'killed-delete'],
  ])
})

it.concurrent('passes one that only finds clusters, and says what it left out', async () => {
  const { code, not } = await tested('magnum_v1')
  expect(code).toBe(1) // it asks a cloud, and the test has none
  expect(not[0]).toMatchObject({ check: 'unknown-names', result: 'failed' })
  await run('driver init shelf_v1')
  const shelf = await tested('shelf_v1')
  expect(shelf.code).toBe(0)
  expect(shelf.not).toMatchObject([{ check: 'create', result: 'skipped' }])
})

it.concurrent('passes the example that makes federations, and the driver that comes with coe', async () => {
  await run('driver init roster_v1 --provides federations')
  const [roster, karmada] = await Promise.all([tested('roster_v1'), tested('karmada_v1')])
  expect(roster).toMatchObject({ code: 0, not: [] })
  expect(karmada).toMatchObject({ code: 0, not: [] })
  expect(karmada.checks.map(one => one.check)).toContain('killed-join')
})

it.concurrent('passes a fork of the driver that comes with coe, which is told apart by its name', async () => {
  await makeFork('karmada_v1', join(home, 'forks/karmada_v1'))
  const { folder } = await forkDriver(join(home, 'drivers'), 'mine_v1', 'karmada_v1', join(home, 'forks'))
  await writeFile(join(home, 'config.yaml'), `drivers: {folders: [${join(home, 'drivers')}]}\n`)
  const env = { COE_CONFIG: join(home, 'config.yaml') }
  const listed = await runCoe('driver list --long -f json', { home, cwd: home, env })
  const rows: { name: string; state: string; title: string }[] = JSON.parse(listed.out)
  expect(rows.filter(row => row.title?.includes('Karmada')).map(row => [row.name, row.state])).toEqual([
    ['karmada_v1', 'enabled'],
    ['mine_v1', 'enabled'],
  ])
  expect(await tested(folder, '--driver-option expose=nodeport')).toMatchObject({ code: 0, not: [] })
})

it.concurrent.each([
  {
    check: 'loads',
    broken: ['driver.js', 'export default', 'export const forgotten ='],
    detail: 'its default export is not a function',
  },
  {
    check: 'dry-run-create',
    broken: [
      'plans.js',
      'const { name } = cluster\n',
      "const { name } = cluster\n  await site.api.apply(objects.record(site, 'early', {}))\n",
    ],
    detail: 'it wrote: ',
  },
  {
    check: 'secrets',
    broken: ['plans.js', "title: 'keys to it'", "title: 'keys to it: ' + objects.keys(site, name).stringData.token"],
    detail: 'this was printed: ',
    // told to coe, as it must be, and printed all the same
    more: ['objects.js', '{ token: `', '{ token: `never-changes` || `'],
  },
  {
    check: 'create-again',
    broken: ['plans.js', 'return token ? { token } : undefined', 'return undefined'],
    detail: null,
    more: [
      'plans.js',
      "id: 'keys',\n  title: 'keys to it',",
      "id: 'keys',\n  replace: () => [objects.refOf(objects.keys(site, name))],\n  title: 'keys to it',",
    ],
  },
  {
    check: 'delete',
    broken: ['plans.js', 'objects.refOf(objects.keys(site, name)), ', ''],
    detail: 'Secret',
  },
  {
    check: 'killed-delete',
    broken: [
      'plans.js',
      "needs: ['keys'], unwanted: () => [objects.refOf(record)]",
      'unwanted: () => [objects.refOf(record)]',
    ],
    detail: 'left: ',
  },
] as const)('fails $check where that is broken', async ({ check, broken, detail, ...rest }) => {
  const folder = await toy(broken, ...('more' in rest ? [rest.more] : []))
  const { code, checks } = await tested(folder)
  expect(code).toBe(1)
  const found = checks.find(one => one.check === check)
  expect(found?.result, JSON.stringify(checks.filter(c => c.result === 'failed'))).toBe('failed')
  if (detail !== null) expect(found?.detail).toContain(detail)
})

it.concurrent('refuses what is no driver, and no number', async () => {
  expect(await run('driver test ./nowhere_v1')).toMatchObject({ code: 3, out: '' })
  expect(await run('driver test karmada_v1 --kills none')).toMatchObject({ code: 2, out: '' })
  await expect(forkDriver(home, 'x_v1', 'magnum_v1', root)).rejects.toMatchObject({ outcome: 'usage' })
  expect(await run('driver init x_v1 --from karmada_v1 --provides clusters')).toMatchObject({ code: 2, out: '' })
})
