/** A federation in a file: printed by show, read by create, with its members. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { changed } from '../../../support/refusals.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

const at = (name: string) => join(lab.home, name)
const json = async (line: string) => JSON.parse((await lab.run(`${line} -f json`)).out)
const members = () => json('federation members myfed --long')
/** What is there, but for what each life has its own of. */
const shape = async () => {
  const {
    uuid,
    status: _,
    api_address: __,
    created_at: ___,
    updated_at: ____,
    ...shown
  } = await json('federation show myfed')
  const all = (await members()).map(({ joined_at: _, ...member }: { joined_at: string }) => member)
  return JSON.parse(JSON.stringify({ shown, members: all }).replaceAll(uuid, 'UUID'))
}

describe('show -f yaml and create --file', () => {
  let first: unknown

  it('show prints what the tables have, and all that it takes besides', async () => {
    const made = await lab.run(
      'federation create myfed --host host --expose nodeport --storage-size 3Gi --toleration a=b:NoSchedule --property team=a --property "dns=x,y=1" --namespace fed-space --context-name mine',
    )
    expect(made.code).toBe(0)
    const place = '--host host --namespace fed-space'
    const about = '--cluster-name west --region eu --zone eu-1 --label tier=1 --label on=true'
    expect((await lab.run(`federation join myfed c2 ${about} ${place}`)).code).toBe(0)
    expect((await lab.run(`federation join myfed c3 ${place}`)).code).toBe(0)
    first = await shape()
    const r = await lab.run('federation show myfed -f yaml')
    await writeFile(at('fed.yaml'), r.out)
    expect(
      r.out
        .split('\n')
        .filter(l => /^\w/.test(l))
        .map(l => l.split(':')[0]),
    ).toEqual([
      ...['uuid', 'name', 'hostcluster', 'members', 'project_id', 'properties', 'status', 'status_reason'],
      ...['api_address', 'context_name', 'namespace', 'engine_version', 'driver', 'driver_version', 'settings'],
      ...['created_at', 'updated_at'],
    ])
    const yaml = parse(r.out)
    const shown = await json('federation show myfed')
    expect(shown).toEqual({ ...yaml, members: ['c3', 'west'], joined: yaml.members, unfinished: [] })
    expect(shown).toMatchObject({ context_name: 'mine', namespace: 'fed-space', engine_version: 'v1.18.2' })
    expect(shown.api_address).toMatch(/^https:\/\/127\.[\d.]+:\d+$/)
    await writeFile(at('fed.json'), JSON.stringify(shown))
    expect((await lab.run('federation show myfed -f value')).out.split('\n')).toHaveLength(17)
    expect((await lab.run('federation show myfed -f yaml -c name')).out).toBe('name: myfed\n')
  })

  it('the file alone makes the same again, members and what was said of them', async () => {
    expect((await lab.run('federation delete myfed --unjoin --yes')).code).toBe(0)
    expect(lab.objects()).toEqual(lab.before)
    const r = await lab.run(`federation create --file ${at('fed.yaml')}`)
    expect([r.code, r.err.includes('error')]).toEqual([0, false])
    expect(r.out).toContain('Federation myfed is created on host "host"')
    expect(r.out).toContain('Cluster c3 joined federation myfed\nCluster c2 joined federation myfed\n')
    expect(await shape()).toEqual(first)
    expect((await lab.run('federation show myfed -f yaml -c settings')).out).toMatch(/storage-size: 3Gi/)
    expect(await readFile(lab.kubeconfig, 'utf8')).toContain('name: mine')
  })

  it('again, from standard input, it changes nothing', async () => {
    const input = await readFile(at('fed.yaml'), 'utf8')
    const asJson = await lab.run(`federation create --file ${at('fed.json')}`)
    expect([asJson.code, asJson.out]).toEqual([
      0,
      expect.stringContaining('c2 is already a member of federation myfed: nothing'),
    ])
    const r = await lab.run('federation create --file - -f json', { input })
    expect(r.code).toBe(0)
    expect(JSON.parse(r.out)).toMatchObject({ name: 'myfed', result: 'unchanged', members: ['c3', 'west'] })
    expect(r.err).toContain('Cluster c3 is already a member of federation myfed: nothing to do')
  })

  it('what is added to the file is done, and the command line wins over it', async () => {
    const text = (await readFile(at('fed.yaml'), 'utf8')).replace('region: eu', 'region: us')
    await writeFile(at('fed.yaml'), text)
    const r = await lab.run(`federation create myfed --file ${at('fed.yaml')} --property team=b`)
    expect(r.code).toBe(0)
    expect((await json('federation show myfed')).properties).toEqual({ team: 'b', dns: 'x,y=1' })
    expect((await members()).find((m: { name: string }) => m.name === 'west').region).toBe('us')
    const immutable = await lab.run(`federation create --file ${at('fed.yaml')} --storage-size 9Gi`)
    expect([immutable.code, immutable.err]).toEqual([5, expect.stringContaining('--storage-size')])
  })

  it('a dry run on one that stands plans the joins, too', async () => {
    const had = lab.objects()
    const r = await lab.run(`federation create --file ${at('fed.yaml')} --dry-run`)
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('join "west"')])
    expect(lab.objects()).toEqual(had)
    expect((await lab.run('federation delete myfed --unjoin --yes')).code).toBe(0)
  })
})

describe('a file by hand', () => {
  it('needs little; one member that cannot join leaves the rest', async () => {
    const text =
      'name: myfed\nhostcluster: host\nsettings: {expose: nodeport}\nmembers:\n- c2\n- cluster: c3\n  server: http://10.0.0.1\n'
    await writeFile(at('hand.yaml'), text)
    const planned = await lab.run(`federation create --file ${at('hand.yaml')} --dry-run`)
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('Would then join c3')])
    expect(lab.objects()).toEqual(lab.before)
    const r = await lab.run(`federation create --file ${at('hand.yaml')}`)
    expect([r.code, r.out]).toEqual([6, expect.stringContaining('Cluster c2 joined federation myfed')])
    expect(r.err).toContain('not https')
    expect((await json('federation show myfed')).members).toEqual(['c2'])
  })

  it('joins what it lists when it is run again, and needs no member', async () => {
    await writeFile(at('hand.yaml'), 'name: myfed\nhostcluster: host\nmembers: [c2, c3]\n')
    expect((await lab.run(`federation create --file ${at('hand.yaml')}`)).out).toContain('Cluster c3 joined')
    expect((await lab.run('federation delete myfed --unjoin --yes')).code).toBe(0)
    expect(lab.objects()).toEqual(lab.before)
  })

  const wrong: [what: string, text: string, place: string, says: string][] = [
    ['a key that is none', 'name: myfed\nhostclutser: host\n', 'line 2, column 1', 'did you mean "hostcluster"'],
    ['the word of the option', 'name: myfed\nhost: host\n', 'line 2, column 1', 'did you mean "hostcluster"'],
    [
      'a setting that is none',
      'name: a\nhostcluster: host\nsettings:\n  expse: nodeport\n',
      'line 4',
      'did you mean "expose"',
    ],
    ['a setting of another kind', 'name: a\nhostcluster: host\nsettings: {expose: road}\n', 'line 3', 'expose must be'],
    ['a flag that is none', 'name: a\nhostcluster: host\nsettings: {ha: 3}\n', 'line 3', 'true or false'],
    ['a digest that is none', 'name: a\nhostcluster: host\nsettings: {crds-digest: foo}\n', 'line 3', 'sha256:HEX'],
    ['a list where one is wanted', 'name: a\nhostcluster: host\nsettings: {expose: [a, b]}\n', 'line 3', 'one value'],
    ['settings that are a list', 'name: a\nhostcluster: host\nsettings: [a]\n', 'line 3', 'keys with values'],
    ['a member’s key', 'name: a\nhostcluster: host\nmembers:\n- cluster: c2\n  regio: eu\n', 'line 5', 'region'],
    ['another name', 'name: a\nhostcluster: host\n', 'line 1, column 7', 'it describes "a"'],
    ['a property that is a list', 'name: myfed\nproperties: {a: [b]}\n', 'line 2', 'a text is expected'],
  ]
  it.each(wrong)('with %s is refused, and the place is shown', async (_, text, place, says) => {
    const name = says.includes('describes') || text.startsWith('name: myfed') ? 'myfed' : ''
    await writeFile(at('wrong.yaml'), text)
    const r = await lab.run(`federation create ${name} --file ${at('wrong.yaml')}`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining(says)])
    expect(r.err).toContain(place)
    expect(r.err).toMatch(/\n\s+\| *\^/)
    // no word is said to be what it is already
    const [, meant = 'nothing'] = /did you mean "(.*)"/.exec(r.err) ?? []
    expect(text).not.toContain(`${meant}:`)
    expect(lab.objects()).toEqual(lab.before)
  })

  it('that names nobody, no host, or a member that nobody knows is refused before anything is made', async () => {
    await writeFile(at('wrong.yaml'), 'members: [c2, c99]\n')
    expect((await lab.run(`federation create --file ${at('wrong.yaml')}`)).err).toContain('or "name" in the file')
    expect((await lab.run(`federation create x --file ${at('wrong.yaml')}`)).err).toContain(
      'or "hostcluster" in the file',
    )
    const r = await lab.run(`federation create x --host host --expose nodeport --file ${at('wrong.yaml')}`)
    expect([r.code, r.err]).toEqual([3, expect.stringContaining('c99')])
    expect((await lab.run('federation create x --file nowhere.yaml')).code).toBe(3)
    expect(lab.objects()).toEqual(lab.before)
  })
})

describe('--join', () => {
  it('makes the host a member as well; again it changes nothing', async () => {
    const line = 'federation create myfed --host host --expose nodeport --join'
    expect((await lab.run(`${line} --no-wait`)).out).toContain('Not joined yet: host')
    const r = await lab.run(line)
    expect([r.code, r.out]).toEqual([0, expect.stringContaining('Cluster host joined federation myfed')])
    const again = await lab.run(`${line} -f json`)
    expect(JSON.parse(again.out)).toMatchObject({ result: 'unchanged', members: ['host'] })
  })

  it('is in what show prints, and so in what is made of that', async () => {
    await writeFile(at('self.yaml'), (await lab.run('federation show myfed -f yaml')).out)
    expect((await lab.run('federation delete myfed --unjoin --yes')).code).toBe(0)
    expect((await lab.run(`federation create --file ${at('self.yaml')}`)).out).toContain('Cluster host joined')
    expect((await lab.run('federation delete myfed --unjoin --yes')).code).toBe(0)
    expect(lab.objects()).toEqual(lab.before)
  })

  it('gives a host whose own name no member can have one that it can have, and keeps it', async () => {
    const env = { KUBECONFIG: await changed(lab, 'host', e => (e.context.name = 'kubernetes-admin@kubernetes')) }
    const line = 'federation create myfed --host kubernetes-admin@kubernetes --expose nodeport --join'
    const r = await lab.run(line, { env })
    expect([r.code, r.err]).toEqual([0, expect.stringContaining('is called "kubernetes-admin-kubernetes"')])
    const again = await lab.run(`${line} -f json`, { env })
    expect(JSON.parse(again.out)).toMatchObject({ result: 'unchanged', members: ['kubernetes-admin-kubernetes'] })
    expect((await lab.run('federation delete myfed --unjoin --yes', { env })).code).toBe(0)
    expect(lab.objects()).toEqual(lab.before)
  })
})

it('a name that a member cannot have is refused before anything is made', async () => {
  await writeFile(
    at('named.yaml'),
    'name: myfed\nhostcluster: host\nsettings: {expose: nodeport}\nmembers:\n- cluster: c2\n  name: West_1\n',
  )
  const r = await lab.run(`federation create --file ${at('named.yaml')}`)
  expect([r.code, r.err]).toEqual([2, expect.stringContaining(`"West_1" cannot be a member's name`)])
  expect(r.err).toContain('hint: use "name: west-1" in the file')
  expect(lab.objects()).toEqual(lab.before)
})

it('a member of another federation is refused before anything is made, as a join of it would be', async () => {
  expect((await lab.run('federation create old --host host --expose nodeport')).code).toBe(0)
  expect((await lab.run('federation join old c2 --cluster-name west')).code).toBe(0)
  const had = lab.objects()
  await writeFile(at('taken.yaml'), 'name: new\nhostcluster: host\nsettings: {expose: nodeport}\nmembers: [c2, c3]\n')
  for (const more of ['', ' --dry-run']) {
    lab.sandbox.log.clear()
    const r = await lab.run(`federation create --file ${at('taken.yaml')}${more}`)
    expect([r.code, r.out]).toEqual([5, ''])
    expect(r.err).toContain('cannot create federation "new": "c2" is already a member of federation "old"')
    expect(r.err).toContain('take it out: coe --standalone federation unjoin old west\n')
    expect(lab.sandbox.log.writes().filter(({ agent }) => agent.startsWith('coe/'))).toEqual([])
  }
  expect(lab.objects()).toEqual(had)
  // one that says nothing is left to its join
  const silent = lab.sandbox.faults.order({
    service: 'kube:c2',
    path: /configmaps/,
    times: Number.POSITIVE_INFINITY,
    effect: { kind: 'answer', status: 403 },
  })
  expect((await lab.run(`federation create --file ${at('taken.yaml')} --dry-run`)).code).toBe(0)
  silent.remove()
  expect((await lab.run('federation delete old --unjoin --yes')).code).toBe(0)
})
