import { chmod, chown, mkdir, readdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { describe, expect, it } from 'vitest'
import {
  coeExtension,
  editKubeconfig,
  loadKubeconfig,
  withCoeExtension,
} from '../../../src/config/kubeconfig/kubeconfig.ts'
import { withLocks } from '../../../src/config/kubeconfig/kubeconfig-lock.ts'
import { conflict } from '../../../src/core/errors.ts'
import { failureOf, makePlace } from './place.ts'

const config = `# mine, keep it
apiVersion: v1
kind: Config
clusters:
- cluster: # the old one
    server: https://a:6443 # do not touch
    x-unknown: {kept: true}
  name: a
contexts:
- context:
    cluster: a
    user: a
  name: a
current-context: a
preferences: {}
users:
- name: a
  user:
    client-key-data: ${'QUJD'.repeat(60)}
    expires: 012
`
const made = {
  set: {
    clusters: { fed: { server: 'https://fed:5443', 'certificate-authority-data': 'QUJD'.repeat(60) } },
    users: { fed: { token: '0123' } },
    contexts: { fed: withCoeExtension({ cluster: 'fed', user: 'fed' }, { federation: 'fed' }) },
  },
}
const gone = { remove: { clusters: ['fed'], users: ['fed'], contexts: ['fed'] } }
const alive = { isRunning: () => true }
const dead = { isRunning: () => false }

describe('editing', () => {
  it('adds entries and leaves every other line unchanged', async () => {
    const place = await makePlace()
    const path = await place.file('.kube/config', config)
    expect(await editKubeconfig(place.world(), made)).toEqual([path])
    const text = await place.read('.kube/config')
    for (const line of config.split('\n')) expect(text.split('\n')).toContain(line)
    const now = await loadKubeconfig(place.world())
    expect(now.currentContext?.name).toBe('a')
    expect(now.users.get('fed')?.value).toEqual({ token: '0123' })
    expect(text).toContain('token: "0123"') // else it would be a number to others
    expect(coeExtension(now.contexts.get('fed'))).toEqual({ federation: 'fed' })
  })

  it('follows any number of aliases', async () => {
    const place = await makePlace()
    const users = Array.from({ length: 120 }, (_, i) => `- {name: u${i}, user: *user}\n`).join('')
    const path = await place.file('.kube/config', `apiVersion: v1\nmine: &user {token: t}\nusers:\n${users}`)
    expect(await editKubeconfig(place.world(), made)).toEqual([path])
    expect((await loadKubeconfig(place.world())).users.get('u119')?.value).toEqual({ token: 't' })
  })

  it('reads and edits a file whose lines end with carriage returns alone', async () => {
    const place = await makePlace()
    await place.file('.kube/config', config.replaceAll('\n', '\r'))
    await editKubeconfig(place.world(), made)
    const now = await loadKubeconfig(place.world())
    expect([...now.contexts.keys()]).toEqual(['a', 'fed'])
    expect((await place.read('.kube/config')).startsWith('# mine, keep it\n')).toBe(true)
  })

  it('restores the same bytes when the entries are removed', async () => {
    const place = await makePlace()
    await place.file('.kube/config', config)
    await editKubeconfig(place.world(), made)
    await editKubeconfig(place.world(), gone)
    expect(await place.read('.kube/config')).toBe(config)
  })

  it('changes nothing if the content is already there', async () => {
    const place = await makePlace()
    const path = await place.file('.kube/config', config)
    await editKubeconfig(place.world(), made)
    const before = await stat(path)
    expect(await editKubeconfig(place.world(), made)).toEqual([])
    expect(await editKubeconfig(place.world(), { remove: { contexts: ['nobody'] } })).toEqual([])
    expect(await editKubeconfig(place.world(), { currentContext: 'a' })).toEqual([])
    expect((await stat(path)).ino).toBe(before.ino)
  })

  it('replaces an entry, and keeps the notes of other programs', async () => {
    const place = await makePlace()
    const note = '\n    extensions:\n    - name: minikube\n      extension: {v: 1}'
    await place.file('.kube/config', config.replace('    cluster: a\n', `    cluster: a${note}\n`))
    await editKubeconfig(place.world(), {
      set: { users: { a: { token: 't' } }, contexts: { a: { cluster: 'b', user: 'a' } } },
    })
    const now = await loadKubeconfig(place.world())
    expect(now.users.get('a')?.value).toEqual({ token: 't' })
    expect(now.contexts.get('a')?.value).toEqual({
      cluster: 'b',
      user: 'a',
      extensions: [{ name: 'minikube', extension: { v: '1' } }],
    })
  })

  it('creates a file and its folder, readable only by the owner', async () => {
    const place = await makePlace()
    expect(await editKubeconfig(place.world(), made)).toEqual([join(place.home, '.kube/config')])
    const { mode } = await stat(join(place.home, '.kube/config'))
    expect(mode & 0o777).toBe(0o600)
    expect(await place.read('.kube/config')).toMatch(/^apiVersion: v1\nkind: Config\nclusters:\n/)
    expect(await readdir(join(place.home, '.kube'))).toEqual(['config'])
    expect(await editKubeconfig(place.world(), made, { kubeconfig: 'new' })).toEqual([join(place.cwd, 'new')])
    await place.file('empty', '# only this\n')
    await editKubeconfig(place.world({ KUBECONFIG: '~/empty' }), made)
    expect((await loadKubeconfig(place.world({ KUBECONFIG: '~/empty' }))).contexts.has('fed')).toBe(true)
  })

  it('follows a link rather than replacing it', async () => {
    const place = await makePlace()
    const real = await place.file('real', config)
    await mkdir(join(place.home, '.kube'))
    await symlink(real, join(place.home, '.kube/config'))
    await editKubeconfig(place.world(), made)
    expect(await place.read('real')).toContain('fed:5443')
    expect((await loadKubeconfig(place.world())).contexts.has('fed')).toBe(true)
    expect((await readdir(place.home)).sort()).toEqual(['.kube', 'real', 'work'])
  })

  it('keeps the mode, and warns if other users may read the new entries', async () => {
    const warnings: string[] = []
    const options = { warn: (text: string) => void warnings.push(text) }
    const place = await makePlace()
    const path = await place.file('.kube/config', config)
    for (const mode of [0o600, 0o640, 0o664]) {
      await chmod(path, mode)
      await editKubeconfig(place.world(), made, options)
      expect((await stat(path)).mode & 0o777).toBe(mode)
      await editKubeconfig(place.world(), gone, options) // adds nothing that others should not see
      expect((await stat(path)).mode & 0o777).toBe(mode)
    }
    const warning = `other users of this machine may read ${path}, which holds credentials; to keep it to yourself: chmod go= ${path}`
    expect(warnings).toEqual([warning, warning])
  })

  it.runIf(getuid?.() === 0)('keeps the owner and the group', async () => {
    const place = await makePlace()
    const path = await place.file('.kube/config', config, 0o640)
    await chown(path, 1234, 1235)
    await editKubeconfig(place.world(), made)
    expect(await stat(path)).toMatchObject({ uid: 1234, gid: 1235, mode: 0o100640 })
  })

  it('puts each entry where kubectl would: where it is, else in the first file that exists, else in the last named', async () => {
    const place = await makePlace()
    const a = await place.file('a', config)
    const b = await place.file('b', config.replaceAll('name: a', 'name: b'))
    const world = place.world({ KUBECONFIG: `/missing/x:${a}:${b}` })
    expect(await editKubeconfig(world, made)).toEqual([a])
    expect((await editKubeconfig(world, { set: { users: { b: { token: 'x' }, a: { token: 'y' } } } })).sort()).toEqual([
      a,
      b,
    ])
    expect(await place.read('b')).not.toContain('token: y')
    const newFiles = place.world({ KUBECONFIG: `~/n1:~/n2` })
    expect(await editKubeconfig(newFiles, made)).toEqual([join(place.home, 'n2')])
  })

  it('changes the current context only on request', async () => {
    const place = await makePlace()
    await place.file('.kube/config', config)
    await editKubeconfig(place.world(), { ...made, currentContext: 'fed' })
    expect((await loadKubeconfig(place.world())).currentContext?.name).toBe('fed')
    await editKubeconfig(place.world(), { currentContext: null })
    expect((await loadKubeconfig(place.world())).currentContext).toBeUndefined()
    expect(await place.read('.kube/config')).toContain('current-context: ""')
  })

  it('keeps JSON JSON', async () => {
    const place = await makePlace()
    const json = JSON.stringify(
      { apiVersion: 'v1', n: 7, clusters: null, users: [{ name: 'u', user: { token: '1' } }] },
      null,
      2,
    )
    await place.file('.kube/config', `${json}\n`)
    await editKubeconfig(place.world(), made)
    const now = JSON.parse(await place.read('.kube/config')) as Record<string, unknown>
    expect(now).toMatchObject({
      n: 7,
      clusters: [{ name: 'fed' }],
      users: [{ name: 'u', user: { token: '1' } }, { name: 'fed' }],
    })
    await editKubeconfig(place.world(), gone)
    expect(await place.read('.kube/config')).toContain('  "n": 7,\n')
  })

  it('quotes names that YAML 1.1 reads as another type', async () => {
    const place = await makePlace()
    await editKubeconfig(place.world(), { set: { contexts: { y: { cluster: 'on', user: '1e3', namespace: 'null' } } } })
    const text = await place.read('.kube/config')
    for (const word of ['"y"', '"on"', '"1e3"', '"null"']) expect(text).toContain(word)
  })

  it('can be refused by the caller, who gets the file as it is under the lock', async () => {
    const place = await makePlace()
    await place.file('.kube/config', config)
    const error = await failureOf(
      editKubeconfig(place.world(), now => {
        if (now.contexts.has('a') && !coeExtension(now.contexts.get('a'))) throw conflict('context "a" is not of coe')
        return made
      }),
    )
    expect(error.message).toBe('context "a" is not of coe')
    expect(await place.read('.kube/config')).toBe(config)
    expect(await readdir(join(place.home, '.kube'))).toEqual(['config'])
  })

  it('reports mistakes before anything is written', async () => {
    const place = await makePlace()
    await place.file('.kube/config', 'users:\n- name: u\n   user: {}\n')
    expect((await failureOf(editKubeconfig(place.world(), made))).message).toContain('.kube/config, line 2')
    const homeless = await failureOf(editKubeconfig(place.world({}, { home: undefined }), made))
    expect(homeless.hint).toContain('set KUBECONFIG')
    const inside = join(await place.file('file', ''), 'config')
    const error = await failureOf(editKubeconfig(place.world({ KUBECONFIG: inside }), made))
    expect(error.message).toBe(`cannot lock ${inside} for a change: its folder cannot be written to (ENOTDIR)`)
  })

  it.skipIf(getuid?.() === 0)(
    'refuses a file, or a folder, that may not be written to, and leaves nothing behind',
    async () => {
      const place = await makePlace()
      const path = await place.file('.kube/config', config, 0o400)
      const file = await failureOf(editKubeconfig(place.world(), made))
      expect(file.message).toBe(`you may not change the kubeconfig ${path}`)
      await chmod(path, 0o600)
      await chmod(join(place.home, '.kube'), 0o500)
      const folder = await failureOf(editKubeconfig(place.world(), made))
      expect(folder.message).toBe(`you may not change the kubeconfig ${path}`)
      await chmod(join(place.home, '.kube'), 0o700)
      expect(await readdir(join(place.home, '.kube'))).toEqual(['config'])
      expect(await place.read('.kube/config')).toBe(config)
    },
  )

  it('keeps Windows line ends, odd indentation and flow style readable', async () => {
    const place = await makePlace()
    await place.file('crlf', config.replaceAll('\n', '\r\n'))
    await editKubeconfig(place.world({ KUBECONFIG: '~/crlf' }), made)
    expect((await place.read('crlf')).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const indented = config.replace(/^(- | {2})/gm, '    $1')
    await place.file('indented', indented)
    await editKubeconfig(place.world({ KUBECONFIG: '~/indented' }), made)
    expect(await place.read('indented')).toContain('\n    - name: fed\n')
    await editKubeconfig(place.world({ KUBECONFIG: '~/indented' }), gone)
    expect(await place.read('indented')).toBe(indented)
    await place.file('flow', '# top\nusers: [{name: u, user: {token: "1"}}] # why\n')
    await editKubeconfig(place.world({ KUBECONFIG: '~/flow' }), made)
    const flow = await loadKubeconfig(place.world({ KUBECONFIG: '~/flow' }))
    expect([...flow.users.keys()]).toEqual(['u', 'fed'])
    expect(await place.read('flow')).toContain('# top')
  })

  it('ten edits at once all succeed', async () => {
    const place = await makePlace()
    await place.file('.kube/config', config)
    const names = Array.from({ length: 10 }, (_, i) => `user-${i}`)
    await Promise.all(
      names.map(name =>
        editKubeconfig(place.world({}, alive), { set: { users: { [name]: { token: name } } } }, { patienceMs: 20_000 }),
      ),
    )
    const now = await loadKubeconfig(place.world())
    expect([...now.users.keys()].sort()).toEqual(['a', ...names].sort())
    expect(await readdir(join(place.home, '.kube'))).toEqual(['config'])
  })
})

describe('the lock', () => {
  const lockOf = (pid: number, host = 'here') => JSON.stringify({ program: 'coe', pid, host })

  it('of a dead coe process of this machine is broken at once', async () => {
    const place = await makePlace()
    await place.file('.kube/config', config)
    await place.file('.kube/config.lock', lockOf(4242))
    expect(await editKubeconfig(place.world({}, dead), made)).toHaveLength(1)
    expect(await readdir(join(place.home, '.kube'))).toEqual(['config'])
  })

  it.each([
    ['a living coe', lockOf(4242), alive, 'coe (process 4242 on here)'],
    ['a coe elsewhere', lockOf(4242, 'there'), dead, 'coe (process 4242 on there)'],
    ['kubectl', '', dead, 'another program'],
  ])('of %s is respected, and its holder is named', async (_, content, world, who) => {
    const place = await makePlace()
    const path = await place.file('.kube/config', config)
    const lock = await place.file('.kube/config.lock', content)
    const error = await failureOf(editKubeconfig(place.world({}, world), made, { patienceMs: 60 }))
    expect(error.outcome).toBe('conflict')
    expect(error.message).toContain(`${path} is locked by ${who} for `)
    expect(error.hint).toContain(`rm ${lock}`)
    expect(await place.read('.kube/config')).toBe(config)
    expect(await place.read('.kube/config.lock')).toBe(content)
  })

  it('exists during the work, names its holder, and is removed when the work fails', async () => {
    const place = await makePlace()
    const file = join(place.home, 'k')
    const work = withLocks(place.world(), [file, file], async () => {
      expect(JSON.parse(await place.read('k.lock'))).toEqual({ program: 'coe', pid: process.pid, host: 'here' })
      throw conflict('no')
    })
    await failureOf(work)
    expect(await readdir(place.home)).toEqual(['work'])
  })
})
