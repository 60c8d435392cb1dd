import { describe, expect, it } from 'vitest'
import { coePaths, openstackFolders, userPath } from '../../../src/config/paths.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { failureOf, makePlace } from './place.ts'

describe('settings', () => {
  it('have defaults, and need no home', async () => {
    const place = await makePlace()
    const settings = await loadSettings(place.world({}, { home: undefined }))
    expect(settings.file).toBeUndefined()
    expect(settings.get('token_cache')).toEqual({ value: true, origin: 'default', source: 'default' })
    expect(settings.get('mode').value).toBeUndefined()
    expect(settings.warnings).toEqual([])
  })

  it('come from option, environment, file, default, in this order, with their origin', async () => {
    const place = await makePlace()
    const path = await place.file(
      '.config/coe/config.yaml',
      'color: never\nwait_timeout: 5m\nfederation:\n  dns_zone: fed.example\n',
    )
    const color = async (env: Record<string, string>, flags = {}) => {
      const { value, origin } = (await loadSettings(place.world(env), flags)).get('color')
      return `${value} from ${origin}`
    }
    expect(await color({ COE_COLOR: 'auto' }, { color: 'always' })).toBe('always from --color')
    expect(await color({ COE_COLOR: 'auto' })).toBe('auto from COE_COLOR')
    expect(await color({})).toBe(`never from ${path}:1`)
    const settings = await loadSettings(place.world())
    expect(settings.get('wait_timeout')).toEqual({ value: 300_000, origin: `${path}:2`, source: 'file' })
    expect(settings.get('federation.dns_zone').origin).toBe(`${path}:4`)
    expect(settings.all().map(s => s.spec.key)).toContain('notifications.webhook')
  })

  it('knows --standalone, COE_MODE and NO_COLOR', async () => {
    const place = await makePlace()
    const settings = await loadSettings(place.world({ COE_MODE: 'magnum', NO_COLOR: '1' }), { standalone: true })
    expect(settings.get('mode')).toMatchObject({ value: 'standalone', origin: '--standalone' })
    expect(settings.get('color')).toMatchObject({ value: 'never', origin: 'NO_COLOR' })
    expect((await loadSettings(place.world({ COE_MODE: 'magnum' }))).get('mode').origin).toBe('COE_MODE')
  })

  it('reads lists from sequences and from commas', async () => {
    const place = await makePlace()
    await place.file('a.yaml', 'drivers:\n  folders:\n  - ~/drivers\n  - /opt/d\n  disabled: x, y\n')
    const settings = await loadSettings(place.world({ COE_CONFIG: '~/a.yaml' }))
    expect(settings.get('drivers.folders').value).toEqual(['~/drivers', '/opt/d'])
    expect(settings.get('drivers.disabled').value).toEqual(['x', 'y'])
    expect(settings.get('drivers.enabled').value).toBeUndefined()
  })

  it('warns of unknown keys, with line and suggestion', async () => {
    const place = await makePlace()
    const path = await place.file(
      'c/config.yaml',
      'mode: magnum\nwait_timout: 5m\nfederation:\n  dns_zon: x\ndns_zone: y\ndrivers:\n',
    )
    const { warnings } = await loadSettings(place.world({ COE_CONFIG_DIR: '../c' }))
    expect(warnings).toEqual([
      `${path}:2: "wait_timout" is not a setting of coe; did you mean "wait_timeout"?`,
      `${path}:4: "federation.dns_zon" is not a setting of coe; did you mean "federation.dns_zone"?`,
      `${path}:5: "dns_zone" is not a setting of coe; did you mean "federation.dns_zone"?`,
    ])
  })

  it.each([
    ['mode: magnun', 'mode must be one of magnum, standalone, not "magnun"'],
    ['wait_timeout: soon', 'wait_timeout must be a duration like 90s or 1h30m, not "soon"'],
    ['token_cache: maybe', 'token_cache must be true or false, not "maybe"'],
    ['drivers: {folders: {a: b}}', 'drivers.folders must be a list'],
    ['notifications: {webhook: [x]}', 'notifications.webhook must be a non-empty string'],
  ])('refuses %s', async (text, message) => {
    const place = await makePlace()
    const path = await place.file('.config/coe/config.yaml', text)
    const error = await failureOf(loadSettings(place.world()))
    expect(error.outcome).toBe('usage')
    expect(error.message).toBe(`${message} (${path}:1)`)
  })

  it('requires a file that the user named, but not the default one', async () => {
    const place = await makePlace()
    const missing = await failureOf(loadSettings(place.world({ COE_CONFIG: '/nowhere/c.yaml' })))
    expect(missing.message).toBe('there is no configuration at /nowhere/c.yaml')
    expect((await loadSettings(place.world())).file).toBe(`${place.home}/.config/coe/config.yaml`)
  })
})

describe('paths', () => {
  it('follow XDG and the COE_* variables', async () => {
    const { world, home, cwd } = await makePlace()
    expect(coePaths(world())).toEqual({
      config: `${home}/.config/coe`,
      cache: `${home}/.cache/coe`,
      state: `${home}/.local/state/coe`,
    })
    expect(coePaths(world({ XDG_CACHE_HOME: '/c', XDG_STATE_HOME: 'relative' }))).toMatchObject({
      cache: '/c/coe',
      state: `${home}/.local/state/coe`,
    })
    expect(coePaths(world({ COE_STATE_DIR: '~/s', COE_CACHE_DIR: 'c' }))).toMatchObject({
      cache: `${cwd}/c`,
      state: `${home}/s`,
    })
    expect(coePaths(world({}, { home: undefined }))).toEqual({ config: undefined, cache: undefined, state: undefined })
  })

  it('are those of openstacksdk on each platform', async () => {
    const { world, home, cwd } = await makePlace()
    const linux = world({ XDG_CONFIG_HOME: '/xdg', XDG_CONFIG_DIRS: '/one:/two' })
    expect(openstackFolders(linux)).toEqual([
      cwd,
      '/xdg/openstack',
      `${home}/.config/openstack`,
      '/one/openstack',
      '/two/openstack',
      '/etc/openstack',
    ])
    expect(openstackFolders(world({ SNAP_REAL_HOME: '/real', XDG_CONFIG_DIRS: '' }, { home: undefined }))).toEqual([
      cwd,
      '/real/.config/openstack',
      '/etc/xdg/openstack',
      '/etc/openstack',
    ])
    expect(openstackFolders(world({}, { platform: 'darwin' }))).toEqual([
      cwd,
      `${home}/Library/Application Support/openstack`,
      `${home}/.config/openstack`,
      '/Library/Application Support/openstack',
      '/etc/openstack',
    ])
  })

  it("expand the user's paths", async () => {
    const { world, home, cwd } = await makePlace()
    expect(userPath('~/a', world())).toBe(`${home}/a`)
    expect(userPath('~', world())).toBe(home)
    expect(userPath('b/c', world())).toBe(`${cwd}/b/c`)
    expect(userPath('/d', world({}, { home: undefined }))).toBe('/d')
  })
})
