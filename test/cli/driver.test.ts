import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exitCodes } from '../../src/core/errors.ts'
import { type RunResult, runCoe } from '../support/run.ts'
import { type StandaloneLab, startLab } from '../support/standalone.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'coe-driver-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const run = (line: string, options = {}): Promise<RunResult> => runCoe(line, { home, cwd: home, ...options })

async function configure(text: string): Promise<void> {
  await mkdir(join(home, '.config/coe'), { recursive: true })
  await writeFile(join(home, '.config/coe/config.yaml'), text)
}

async function put(name: string, code: string): Promise<string> {
  const folder = join(home, 'drivers', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'driver.js'), code)
  await writeFile(join(folder, 'package.json'), '{"type": "module", "main": "driver.js"}')
  return folder
}

const json = (result: RunResult) => JSON.parse(result.out)

describe('driver list', () => {
  it('has those that come with coe, in whatever mode', async () => {
    const r = await run('driver list -f json', { env: { COE_MODE: 'magnum' } })
    expect(r).toMatchObject({ code: 0, err: '' })
    expect(json(r)).toContainEqual({
      name: 'karmada_v1',
      version: '1.0.0',
      provides: ['federations'],
      source: 'built-in',
      state: 'enabled',
      error: null,
    })
  })

  it('tells why one cannot be loaded, and has the others all the same', async () => {
    await configure('drivers: {folders: [~/drivers, ~/nowhere], disabled: [magnum_v1]}\n')
    const broken = await put('broken_v1', 'throw new Error("boom")')
    const open = await put('open_v1', 'export default () => ({})')
    await chmod(open, 0o777)
    const r = await run('driver list --long -f json')
    expect(r.code).toBe(0)
    const by = Object.fromEntries(json(r).map((row: { name: string }) => [row.name, row]))
    expect(by.broken_v1).toMatchObject({
      state: 'failed',
      source: 'folder',
      title: null,
      error: `the driver in ${broken} cannot be loaded: boom`,
    })
    expect(by.open_v1.error).toBe(`other users can write to ${open}, so coe does not run drivers from it`)
    expect(by[join(home, 'nowhere')].error).toContain('does not exist')
    expect(by.magnum_v1.state).toBe('disabled')
    expect(by.kubeconfig_v1.state).toBe('enabled')
  })

  it('has nothing of settings that are broken, and says which', async () => {
    await configure('drivers: {folders: {a: b}}\n')
    const r = await run('driver list')
    expect(r.code).toBe(2)
    expect(r.err).toContain('drivers.folders')
  })
})

describe('driver show', () => {
  it('has its options as data, and the releases of its engine', async () => {
    const object = json(await run('driver show karmada_v1 -f json'))
    expect(object.engine_versions[0]).toMatch(/^v\d+\.\d+\.\d+$/)
    expect(object.options).toContainEqual(
      expect.objectContaining({ name: 'expose', type: 'choice', choices: ['loadbalancer', 'nodeport'] }),
    )
    const table = await run('driver show karmada_v1')
    expect(table.out).toContain('--expose loadbalancer|nodeport: ')
  })

  it('knows what stands before the names of clusters', async () => {
    expect(json(await run('driver show magnum_v1 -f json')).prefix).toBe('magnum')
  })

  it('tells of one that fails why, and what to do', async () => {
    await configure('drivers: {folders: [~/drivers]}\n')
    const folder = await put('broken_v1', 'export default () => ({name: "Broken"})')
    expect(json(await run('driver show broken_v1 -f json'))).toMatchObject({
      state: 'failed',
      version: null,
      error: `the driver in ${folder} cannot be loaded: its name must be like example_v1, not "Broken"`,
      hint: 'fix it, remove it, or leave it out with drivers.disabled',
    })
  })

  it('refuses one whose options name no command that there is', async () => {
    await configure('drivers: {folders: [~/drivers]}\n')
    await put(
      'lost_v1',
      "export default () => ({ name: 'lost_v1', version: '1.0.0', title: 't', provides: ['clusters'], clusters: {}, options: [{ name: 'x', verbs: ['create'] }] })",
    )
    expect(json(await run('driver show lost_v1 -f json')).error).toContain(
      'its option "x" needs a list "commands", with any of: ',
    )
  })

  it('refuses one whose federations cannot be opened, as those for an older coe', async () => {
    await configure('drivers: {folders: [~/drivers]}\n')
    await put(
      'old_v1',
      "export default () => ({ name: 'old_v1', version: '1.0.0', title: 't', provides: ['federations'], options: [], federations: {} })",
    )
    expect(json(await run('driver show old_v1 -f json')).error).toContain('its federations have no "open"')
  })

  it('shows one that is turned off without running it', async () => {
    await configure('drivers: {folders: [~/drivers], disabled: [broken_v1, karmada_v1]}\n')
    await put('broken_v1', 'throw new Error("it was run")')
    expect(json(await run('driver show broken_v1 -f json'))).toMatchObject({ state: 'disabled', error: null })
    expect(json(await run('driver show karmada_v1 -f json'))).toMatchObject({ state: 'disabled', version: '1.0.0' })
  })

  it('does not know just any name', async () => {
    const r = await run('driver show karmda_v1')
    expect(r).toMatchObject({ code: 3, out: '' })
    expect(r.err).toContain('did you mean "karmada_v1"?')
  })
})

describe('driver init', () => {
  it('makes a folder that others cannot write to, and says how to use it', async () => {
    await mkdir(join(home, 'drivers'))
    await chmod(join(home, 'drivers'), 0o775)
    const r = await run('driver init my_cloud_v2 --dir drivers -f json')
    expect(r.code).toBe(0)
    const { folder, files } = json(r)
    expect(folder).toBe(join(home, 'drivers/my_cloud_v2'))
    expect(files.sort()).toEqual((await readdir(folder)).sort())
    for (const file of ['.', ...files]) expect((await stat(join(folder, file))).mode & 0o022).toBe(0)
    expect(r.err).toContain(`folders: [${join(home, 'drivers')}]`)
    expect(r.err).toContain(`chmod go-w ${join(home, 'drivers')}`)
    expect(await readFile(join(folder, 'driver.js'), 'utf8')).toContain("prefix: 'mycloud'")
  })

  it('overwrites nothing', async () => {
    await mkdir(join(home, 'mine_v1'))
    await writeFile(join(home, 'mine_v1/driver.js'), 'precious')
    const r = await run('driver init mine_v1')
    expect(r).toMatchObject({ code: 5, out: '' })
    expect(r.err).toContain('exists already; nothing in it was changed')
    expect(await readdir(join(home, 'mine_v1'))).toEqual(['driver.js'])
  })

  it('takes only names that a driver can have, and offers one', async () => {
    const r = await run('driver init My-Cloud')
    expect(r.code).toBe(2)
    expect(r.err).toContain('use my_cloud_v1')
  })

  it.each(['clusters', 'federations'])('makes a driver of %s whose types and tests hold', async provides => {
    await run(`driver init sample_v1 --provides ${provides}`)
    const folder = join(home, 'sample_v1')
    const types = join(root, 'node_modules/@types')
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['--project', 'jsconfig.json', '--typeRoots', types], { cwd: folder, stdio: 'pipe' })
    execFileSync(process.execPath, ['--test'], { cwd: folder, stdio: 'pipe' })
    for (const file of await readdir(folder)) {
      if (file === 'templates') continue
      expect(await readFile(join(folder, file), 'utf8')).not.toMatch(/shelf|roster/i)
    }
  })
})

describe('a driver of one’s own', () => {
  let lab: StandaloneLab
  let folders: string
  beforeAll(async () => {
    lab = await startLab()
    folders = join(lab.home, 'drivers')
    await mkdir(join(lab.home, '.config/coe'), { recursive: true })
    await writeFile(join(lab.home, '.config/coe/config.yaml'), 'drivers: {folders: [~/drivers]}\n')
  })
  afterAll(() => lab.close())

  it('is listed as soon as it is there', async () => {
    await lab.run(['driver', 'init', 'list_v1', '--provides', 'federations', '--dir', folders])
    await lab.run(['driver', 'init', 'files_v1', '--dir', folders])
    const rows = json(await lab.run('driver list -f json'))
    expect(rows.map((r: { name: string; state: string }) => `${r.name} ${r.state}`)).toEqual(
      expect.arrayContaining(['list_v1 enabled', 'files_v1 enabled']),
    )
    expect(rows.find((r: { name: string }) => r.name === 'list_v1').error).toBeNull()
  })

  it('finds clusters by its prefix, and by their names alone', async () => {
    await mkdir(join(lab.home, '.kube/files'), { recursive: true })
    const prod = (await readFile(lab.kubeconfig, 'utf8')).replace(/current-context: .*/, 'current-context: c2')
    await writeFile(join(lab.home, '.kube/files/prod.yaml'), prod)
    const shown = await lab.run('cluster show files:prod -f json')
    expect(shown.code).toBe(0)
    const c2 = json(await lab.run('cluster show c2 -f json'))
    expect(json(shown).api_address).toBe(c2.api_address)
    const missing = await lab.run('cluster show files:dev')
    expect(missing.code).toBe(3)
  })

  it('makes federations, from nothing to nothing', async () => {
    const before = lab.objects()
    const plan = await lab.run('federation create myfed --host host --driver list_v1 --dry-run')
    expect(plan.code).toBe(0)
    expect(plan.out).toContain('Nothing was changed')
    expect(lab.objects()).toEqual(before)

    const made = await lab.run(
      'federation create myfed --host host --driver list_v1 --driver-option member-role=cluster-admin',
    )
    expect(made).toMatchObject({ code: 0 })
    expect(made.out).toContain('kubectl --context myfed get secrets --namespace coe-fed-myfed --selector list/member')
    expect((await lab.run('federation join myfed c2 files:prod --dry-run')).err).toContain(
      '"files:prod" is the same cluster as "c2"',
    )
    const joined = await lab.run('federation join myfed c2 c3 --region north')
    expect(joined.out).toBe('Cluster c2 joined federation myfed\nCluster c3 joined federation myfed\n')
    const rows = json(await lab.run('federation members myfed -f json'))
    expect(rows.map((r: { name: string; ready: boolean }) => [r.name, r.ready])).toEqual([
      ['c2', true],
      ['c3', true],
    ])
    expect(await lab.run('federation status myfed')).toMatchObject({ code: 0 })
    expect(await readFile(lab.kubeconfig, 'utf8')).toMatch(/ {6}token: /)

    for (const format of ['table', 'wide', 'json', 'yaml', 'shell']) {
      const shown = await lab.run(`federation show myfed -f ${format}`)
      expect(shown.out, format).toMatch(/driver\b.*list_v1/s)
      expect(shown.out, format).toMatch(/driver_version.*1\.0\.0/s)
    }
    const values = await lab.run('federation show myfed -f value -c driver -c driver_version')
    expect(values.out).toBe('list_v1\n1.0.0\n')

    const merged = await lab.run('federation kubeconfig myfed --merge')
    expect(merged.err).toContain('kubectl --context myfed get secrets --namespace coe-fed-myfed')
    const again = await lab.run('federation create myfed --host host')
    expect(again.out).toContain('unchanged')
    const changed = await lab.run('federation create myfed --host host --driver-option member-role=view')
    expect(changed.code).toBe(5)
    expect(changed.err).toContain('members have it already')

    expect((await lab.run('federation unjoin myfed c3')).out).toBe('Cluster c3 left federation myfed\n')
    expect(await lab.run('federation delete myfed --unjoin --yes')).toMatchObject({ code: 0 })
    expect(lab.objects()).toEqual(before)
  })

  it('has options of join, unjoin and delete, and none that its command does not have', async () => {
    await lab.run(['driver', 'init', 'choosy_v1', '--provides', 'federations', '--dir', folders])
    const file = (name: string) => join(folders, 'choosy_v1', name)
    const edit = async (name: string, from: string, to: string) => {
      const text = await readFile(file(name), 'utf8')
      expect(text).toContain(from)
      await writeFile(file(name), text.replace(from, to))
    }
    const option = (name: string, command: string) =>
      `{ name: '${name}', type: 'text', doc: 'for a test', commands: ['federation ${command}'] },`
    const options = option('floor', 'join') + option('reason', 'unjoin') + option('last-words', 'delete')
    await edit('version.js', 'options: [', `options: [${options}`)
    await edit(
      'driver.js',
      'join: async request => joinPlan(site, request)',
      'join: async (request, { options }) => joinPlan(site, { ...request, region: options.floor })',
    )
    await edit(
      'driver.js',
      'async unjoin(request, { resume }) {',
      `async unjoin(request, { resume, options }) {
      if (options.reason) throw coe.errors.denied('kept: ' + options.reason, { next: [resume] })`,
    )
    await edit(
      'driver.js',
      'remove: async () => removePlan(site)',
      `async remove({ options }) {
      if (options['last-words']) throw coe.errors.denied(options['last-words'])
      return removePlan(site)
    }`,
    )
    await lab.run('federation create picky --host host --driver choosy_v1')
    const joined = await lab.run('federation join picky c2 --driver-option floor=third')
    expect(joined.code).toBe(0)
    expect(json(await lab.run('federation members picky --long -f json'))[0].region).toBe('third')
    const kept = await lab.run('federation unjoin picky c2 --driver-option reason=needed')
    expect([kept.code, kept.err]).toEqual([4, expect.stringContaining('kept: needed')])
    expect(kept.err).toContain('coe --standalone federation unjoin picky c2 --driver-option reason=needed')
    const wrong = await lab.run('federation unjoin picky c2 --driver-option floor=third')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('belongs to: federation join')])
    expect((await lab.run('federation join picky c3 --driver-option expose=x')).code).toBe(2)
    const remove = 'federation delete picky --unjoin --yes'
    const refused = await lab.run(`${remove} --driver-option last-words=never`)
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('never')])
    expect((await lab.run(remove)).code).toBe(0)
  })

  it.each(['conflict', 'denied', 'notFound'] as const)('decides the exit code of what it finds: %s', async outcome => {
    const name = `full_${outcome.toLowerCase()}_v1`
    const folder = join(folders, name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"type": "module", "main": "driver.js"}')
    const findings = [{ id: 'anything', level: 'error', outcome, message: 'the shelf is full' }]
    await writeFile(
      join(folder, 'driver.js'),
      `export default () => ({
        name: '${name}', version: '1.0.0', title: 'refuses', provides: ['federations'], options: [],
        federations: {
          engineVersions: [], settings: given => given, immutable: () => ({}), images: () => [],
          memberNameProblem: () => undefined, leftOnMember: () => [],
          open: () => ({ preflight: async () => ${JSON.stringify(findings)} }),
        },
      })`,
    )
    const r = await lab.run(`federation create full --host host --driver ${name} -f json`)
    expect(r.code).toBe(exitCodes[outcome])
    expect(JSON.parse(r.err).error.findings).toEqual(findings)
    await rm(folder, { recursive: true })
  })

  it('that made a federation and is gone is missed by name, and nothing else is touched', async () => {
    await lab.run('federation create other --host host --driver list_v1')
    await writeFile(join(lab.home, '.config/coe/config.yaml'), 'drivers: {folders: []}\n')
    const r = await lab.run('federation join other c2')
    expect(r.code).toBe(3)
    expect(r.err).toContain('there is no driver "list_v1"')
    expect((await lab.run('federation list -f value -c name')).out).toBe('other\n')
  })

  it('that breaks is told of where it would have been asked', async () => {
    await writeFile(join(lab.home, '.config/coe/config.yaml'), 'drivers: {folders: [~/drivers]}\n')
    await mkdir(join(folders, 'broken_v1'))
    await writeFile(join(folders, 'broken_v1/driver.js'), 'throw new Error("boom")')
    const r = await lab.run('cluster show broken:prod')
    expect(r.code).toBe(2)
    expect(r.err).toContain('warning: driver broken_v1 cannot be used: ')
    expect(r.err).toContain('boom')
    expect((await lab.run('cluster show files:prod')).code).toBe(0)
    expect((await lab.run('cluster show c2 -f value -c name')).err).toBe('')
  })
})
