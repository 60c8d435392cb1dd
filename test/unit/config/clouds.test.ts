import { getuid } from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import { cloudOptions, couldPickCloud, listClouds, loadCloud } from '../../../src/config/clouds/clouds.ts'
import { failureOf, makePlace, type Place } from './place.ts'

const prod = `
clouds:
  prod:
    region_name: R1
    auth:
      auth_url: https://keystone:5000/v3
      username: ann
      password: file-secret
      project_name: web
      user_domain_name: Users
      project_domain_name: Projects
`
const openrc = {
  OS_AUTH_URL: 'https://rc:5000/v3',
  OS_USERNAME: 'bob',
  OS_PASSWORD: 'rc-secret',
  OS_PROJECT_NAME: 'dev',
  OS_USER_DOMAIN_NAME: 'Default',
  OS_PROJECT_DOMAIN_ID: 'default',
  OS_REGION_NAME: 'R7',
  OS_INTERFACE: 'internal',
  OS_IDENTITY_API_VERSION: '3',
}

async function withClouds(text: string, path = 'work/clouds.yaml'): Promise<Place & { path: string }> {
  const place = await makePlace()
  return { ...place, path: await place.file(path, text) }
}

/** The settings of the only cloud of a file with just these lines. */
async function only(lines: string, env: Record<string, string> = {}, flags = {}) {
  const place = await withClouds(`clouds:\n  c:\n${lines.replace(/^/gm, '    ')}\n`)
  return await loadCloud(place.world({ OS_CLOUD: 'c', ...env }), flags)
}

describe('which file', () => {
  it('is the first that exists: named, working folder, user, site', async () => {
    const place = await makePlace()
    const order = [
      'site/openstack/clouds.yaml',
      '.config/openstack/clouds.yml',
      '.config/openstack/clouds.yaml',
      'work/clouds.json',
    ]
    const url = (path: string) => `http://${path.replace(/\W/g, '-')}`
    const pick = async (env = {}) => (await loadCloud(place.world({ OS_CLOUD: 'c', ...env }), {})).auth.auth_url
    for (const path of order) {
      await place.file(path, JSON.stringify({ clouds: { c: { auth: { auth_url: url(path) } } } }))
      expect(await pick()).toBe(url(path))
    }
    const named = await place.file('mine.yaml', 'clouds: {c: {auth: {auth_url: http://mine}}}\n')
    expect(await pick({ OS_CLIENT_CONFIG_FILE: named })).toBe('http://mine')
    expect(await pick({ OS_CLIENT_CONFIG_FILE: '~/mine.yaml' })).toBe('http://mine')
  })

  it('is the next one, with a note, if OS_CLIENT_CONFIG_FILE names a missing file or a folder', async () => {
    const place = await withClouds(prod)
    for (const named of ['/nowhere.yaml', place.home]) {
      const cloud = await loadCloud(place.world({ OS_CLIENT_CONFIG_FILE: named }), {})
      expect(cloud.name).toBe('prod')
      expect(cloud.warnings.join()).toContain(named)
    }
  })

  it.skipIf(getuid?.() === 0)('is the next one if one is not readable', async () => {
    const place = await withClouds(prod, '.config/openstack/clouds.yaml')
    const locked = await place.file('work/clouds.yaml', 'clouds: {}\n', 0)
    const cloud = await loadCloud(place.world(), {})
    expect([cloud.name, cloud.files]).toEqual(['prod', [place.path]])
    expect(cloud.warnings).toEqual([`${locked} was skipped: you may not read the cloud configuration ${locked}`])
  })

  it('is completed by secure.yaml, which wins and may have its own clouds', async () => {
    const place = await withClouds(prod)
    const secure = await place.file(
      '.config/openstack/secure.yaml',
      'clouds:\n  prod:\n    auth:\n      password: kept-apart\n  other:\n    auth: {auth_url: http://o, token: t}\n',
    )
    const cloud = await loadCloud(place.world({ OS_CLOUD: 'prod' }), {})
    expect(cloud.auth).toMatchObject({ username: 'ann', password: 'kept-apart' })
    expect(cloud.origins.get('auth.password')).toBe(`${secure}:4 cloud prod`)
    expect(cloud.files).toEqual([place.path, secure])
    expect(await listClouds(place.world())).toEqual(['prod', 'other'])
    const elsewhere = await place.file('s.yaml', 'clouds: {prod: {auth: {password: from-env}}}\n')
    const third = await loadCloud(place.world({ OS_CLOUD: 'prod', OS_CLIENT_SECURE_FILE: elsewhere }), {})
    expect(third.auth.password).toBe('from-env')
  })

  it('is named with the position of a mistake in it', async () => {
    const place = await withClouds('clouds:\n  c:\n    auth:\n      password: "oh\n')
    const error = await failureOf(loadCloud(place.world(), {}))
    expect(error.message).toContain(`${place.path}, line 4`)
    expect(error.message).not.toContain('oh')
  })

  it.each([
    ['clouds: [a]\n', /"clouds" in .*:1 does not hold clouds/],
    ['clouds:\n  c: text\n', /cloud "c" in .*:2 does not hold keys/],
    ['clouds:\n  c:\n    auth: text\n', /"auth" does not hold keys and values .*:3 cloud c/],
    ['clouds:\n  c:\n    auth: {username: [a]}\n', /username must be one value.*:3 cloud c/],
  ])('is refused when it is %j', async (text, message) => {
    const place = await withClouds(text)
    expect((await failureOf(loadCloud(place.world({ OS_CLOUD: 'c' }), {}))).message).toMatch(message)
  })
})

describe('which cloud', () => {
  const two = 'clouds:\n  a: {auth: {auth_url: http://a}}\n  b: {auth: {auth_url: http://b}}\n'

  // difference: only-cloud
  it('is --os-cloud, then OS_CLOUD, then the environment, then the preferred, then the only one', async () => {
    const place = await withClouds(two)
    const chosen = async (env = {}, flags = {}, preferred?: string) => {
      const cloud = await loadCloud(
        place.world(env),
        flags,
        preferred ? { value: preferred, origin: 'config.yaml' } : undefined,
      )
      return `${cloud.name} ${cloud.auth.auth_url} by ${cloud.chosenBy}`
    }
    expect(await chosen({ OS_CLOUD: 'a', ...openrc }, { 'os-cloud': 'b' })).toBe('b https://rc:5000/v3 by --os-cloud')
    expect(await chosen({ OS_CLOUD: 'a' })).toBe('a http://a by OS_CLOUD')
    expect(await chosen(openrc, {}, 'a')).toBe('envvars https://rc:5000/v3 by OS_AUTH_URL')
    expect(await chosen({ ...openrc, OS_CLOUD: 'envvars' })).toBe('envvars https://rc:5000/v3 by OS_AUTH_URL')
    expect(await chosen({ ...openrc, OS_CLOUD_NAME: 'rc', OS_CLOUD: 'rc' })).toMatch(/^rc /)
    expect(await chosen({}, {}, 'b')).toBe('b http://b by config.yaml')
    const single = await withClouds(prod)
    expect((await loadCloud(single.world({ OS_INTERFACE: 'admin' }), {})).name).toBe('prod')
  })

  it('must be named if there are several', async () => {
    const place = await withClouds(two)
    const error = await failureOf(loadCloud(place.world(), {}))
    expect(error.outcome).toBe('usage')
    expect(error.message).toContain(`none of the clouds in ${place.path} is chosen: a, b`)
    expect(error.hint).toContain('--os-cloud')
  })

  it('is suggested for a misspelled name', async () => {
    const place = await withClouds(prod)
    const error = await failureOf(loadCloud(place.world(), { 'os-cloud': 'prdo' }))
    expect(error.outcome).toBe('notFound')
    expect(error.message).toBe(`cloud "prdo" (from --os-cloud) is not in ${place.path}`)
    expect(error.hint).toBe('did you mean "prod"? its clouds: prod')
    const nowhere = await makePlace()
    const none = await failureOf(loadCloud(nowhere.world({ OS_CLOUD: 'x' }), {}))
    expect(none.message).toBe('cloud "x" (from OS_CLOUD): there is no clouds.yaml')
    expect(none.hint).toContain(`${nowhere.home}/.config/openstack`)
  })

  it('can be the options alone, and then takes no password from a file', async () => {
    const place = await withClouds(prod)
    const cloud = await loadCloud(place.world(), { 'os-auth-url': 'http://other', 'os-username': 'x' })
    expect(cloud.auth).toEqual({ auth_url: 'http://other', username: 'x', user_domain_id: 'default' })
    expect(cloud.files).toEqual([])
  })

  it('decides the mode without reading more than needed', async () => {
    const several = await withClouds(two)
    const none = await makePlace()
    expect(await couldPickCloud(none.world(), {})).toMatchObject({ picked: false, why: /no clouds.yaml in/ })
    expect(await couldPickCloud(several.world(), {})).toMatchObject({ picked: false, why: /a, b/ })
    expect(await couldPickCloud(several.world({ OS_CLOUD: 'a' }), {})).toMatchObject({ picked: true, why: 'OS_CLOUD' })
    expect(await couldPickCloud(none.world(openrc), {})).toMatchObject({ picked: true, why: 'OS_AUTH_URL' })
    expect(await couldPickCloud(none.world({}, { home: undefined }), { 'os-auth-url': 'x' })).toMatchObject({
      picked: true,
    })
    expect(await couldPickCloud(none.world({ OS_INTERFACE: 'public', OS_CLOUD: '' }), {})).toMatchObject({
      picked: false,
    })
    const broken = await withClouds('clouds: {\n')
    expect(await couldPickCloud(broken.world(openrc), {})).toMatchObject({ picked: true })
    expect((await failureOf(couldPickCloud(broken.world(), {}))).message).toContain(broken.path)
  })
})

describe('layers', () => {
  // difference: flags-beat-files
  it('put options over the environment over the file, and remember the origin', async () => {
    const place = await withClouds(prod)
    const cloud = await loadCloud(place.world({ OS_CLOUD: 'prod', OS_PASSWORD: 'env', OS_PROJECT_NAME: 'env' }), {
      'os-project-name': 'flag',
    })
    expect(cloud.auth).toEqual({
      auth_url: 'https://keystone:5000/v3',
      username: 'ann',
      password: 'env',
      project_name: 'flag',
      user_domain_name: 'Users',
      project_domain_name: 'Projects',
    })
    expect(Object.fromEntries(cloud.origins)).toMatchObject({
      'auth.username': `${place.path}:7 cloud prod`,
      'auth.password': 'OS_PASSWORD',
      'auth.project_name': '--os-project-name',
      region_name: `${place.path}:4 cloud prod`,
    })
  })

  // difference: flags-beat-files
  it('replace an id by a name of a higher layer, and one scope by another', async () => {
    const byId = 'auth: {auth_url: http://a, username: u, password: p, project_id: "1", user_domain_id: d}'
    const named = await only(byId, {}, { 'os-project-name': 'x' })
    expect(named.auth).toMatchObject({ project_name: 'x', project_domain_id: 'default' })
    expect(named.auth).not.toHaveProperty('project_id')
    const system = await only(byId, {}, { 'os-system-scope': 'all' })
    expect(system.auth).toMatchObject({ system_scope: 'all' })
    expect(system.auth).not.toHaveProperty('project_id')
    const both = await only('auth: {auth_url: http://a}', { OS_PROJECT_ID: '1', OS_PROJECT_NAME: 'x' })
    expect(both.auth).toMatchObject({ project_id: '1', project_name: 'x' })
  })

  it('accept an openrc unchanged', async () => {
    const place = await makePlace()
    const cloud = await loadCloud(place.world(openrc), {})
    expect(cloud).toMatchObject({
      name: 'envvars',
      region: 'R7',
      interface: 'internal',
      auth_type: 'password',
      verify: true,
      serviceType: 'container-infra',
    })
    expect(cloud.auth).toEqual({
      auth_url: 'https://rc:5000/v3',
      username: 'bob',
      password: 'rc-secret',
      project_name: 'dev',
      user_domain_name: 'Default',
      project_domain_id: 'default',
    })
  })

  it('accept every option on the command line and in the environment', async () => {
    const place = await makePlace()
    const base = { OS_AUTH_URL: 'http://a', OS_ENDPOINT: 'http://e' }
    for (const option of cloudOptions.filter(o => o.key !== 'cloud')) {
      const others: Record<string, string> = { api_version: '1.9', identity_api_version: '3' }
      const value = { interface: 'admin', api_timeout: '7', auth_type: 'none', ...others }[option.key] ?? '/given'
      const env = await loadCloud(place.world({ ...base, [option.env]: value }), {})
      const flag = await loadCloud(place.world(base), { [option.name]: value })
      // these are merged into others
      if (/default_domain|auth\.domain/.test(option.key)) continue
      expect([option.name, env.origins.get(option.key)]).toEqual([option.name, option.env])
      expect([option.name, flag.origins.get(option.key)]).toEqual([option.name, `--${option.name}`])
      expect(flag.origins.get('auth_type') === 'default' ? flag.auth : env.auth).toBeDefined()
    }
  })
})

describe('spellings', () => {
  it('may be several for one setting', async () => {
    const cloud = await only(
      'auth-url: http://a\nuser-name: u\npassword: 12345\ntenant-id: 77\nauth: {username: inner, tenant_name: t}',
    )
    expect(cloud.auth).toEqual({
      auth_url: 'http://a',
      username: 'inner',
      password: '12345',
      project_id: '77',
      project_name: 't',
      user_domain_id: 'default',
      project_domain_id: 'default',
    })
  })

  it('may name one domain for user and project', async () => {
    const cloud = await only('auth: {auth_url: http://a, username: u, project_name: p, domain-name: dd}')
    expect(cloud.auth).toEqual({
      auth_url: 'http://a',
      username: 'u',
      project_name: 'p',
      user_domain_name: 'dd',
      project_domain_name: 'dd',
    })
    const domain = await only('auth: {auth_url: http://a, username: u, domain_name: dd, user_domain_name: x}')
    expect(domain.auth).toEqual({ auth_url: 'http://a', username: 'u', domain_name: 'dd', user_domain_name: 'x' })
    const chosen = await only('auth: {auth_url: http://a, username: u, project_name: p}', { OS_DEFAULT_DOMAIN: 'dom' })
    expect(chosen.auth).toMatchObject({ user_domain_id: 'dom', project_domain_id: 'dom' })
    expect(chosen.origins.get('auth.user_domain_id')).toBe('OS_DEFAULT_DOMAIN')
  })

  it.each([
    [
      'auth: {auth_url: http://a, application_credential_id: i, application_credential_secret: s}',
      'v3applicationcredential',
    ],
    ['auth: {auth_url: http://a, token: t}', 'token'],
    ['auth: {endpoint: http://m, token: t}', 'admin_token'],
    ['auth_type: token_endpoint\nauth: {endpoint: http://m, token: t}', 'admin_token'],
    ['auth_type: None\nauth: {endpoint: http://m}', 'none'],
    ['auth_plugin: v3token\nauth: {auth_url: http://a, auth_token: t}', 'v3token'],
    ['auth: {auth_url: http://a, username: u}', 'password'],
  ])('of how to log in: %j is %s', async (lines, type) => {
    expect((await only(lines)).auth_type).toBe(type)
  })

  // difference: versions-negotiated
  it('of API versions: 1, as for the openstack client, asks for no particular one', async () => {
    const version = async (text: string) =>
      (await only('auth: {auth_url: http://a}', { OS_CONTAINER_INFRA_API_VERSION: text })).apiVersion
    expect(await version('1')).toBeUndefined()
    expect(await version('1.9')).toBe('1.9')
    expect(await version('latest')).toBe('latest')
    expect((await failureOf(version('two'))).message).toBe(
      '"two" (from OS_CONTAINER_INFRA_API_VERSION) is not a version of Magnum\'s API',
    )
    const identity = (text: string) => only('auth: {auth_url: http://a}', { OS_IDENTITY_API_VERSION: text })
    expect((await identity('3')).name).toBe('c')
    expect((await failureOf(identity('2.0'))).message).toContain('version "2.0" of Keystone\'s API')
  })

  // difference: flags-beat-files
  it('of a token beside a password: the one of the higher layer is used', async () => {
    const entry = 'auth_type: password\nauth: {auth_url: http://a, username: u, password: p}'
    const byToken = await only(entry, {}, { 'os-token': 't' })
    expect(byToken).toMatchObject({ auth_type: 'token', auth: { token: 't' } })
    expect(byToken.auth).not.toHaveProperty('password')
    expect((await only(entry, { OS_TOKEN: 't' })).auth_type).toBe('token')
    expect((await only(entry, { OS_TOKEN: 't', OS_AUTH_TYPE: 'password' })).auth_type).toBe('password')
    const credential = 'auth: {auth_url: http://a, application_credential_id: i, application_credential_secret: s}'
    expect((await only(credential, {}, { 'os-token': 't' })).auth_type).toBe('token')
    const given = await only('auth: {auth_url: http://a, token: t}', { OS_USERNAME: 'u', OS_PASSWORD: 'p' })
    expect(given.auth_type).toBe('password')
  })

  // difference: endpoint-override
  it('of the endpoint and the interface', async () => {
    const cloud = await only(
      'auth: {auth_url: http://a}\ninterface: internalURL\nregion_name: R\ncontainer-infra-endpoint-override: "http://{region_name}/v1"\ncontainer_infra_api_version: 1.10\napi_timeout: 30',
    )
    expect(cloud).toMatchObject({
      interface: 'internal',
      endpointOverride: 'http://R/v1',
      apiVersion: '1.10',
      apiTimeout: 30,
    })
    const own = await only('auth: {auth_url: http://a}\ncontainer_infra_interface: admin\ninterface: internal')
    expect(own.interface).toBe('admin')
    expect((await failureOf(only('auth: {auth_url: http://a}', { OS_INTERFACE: 'pubic' }))).message).toBe(
      '"pubic" (from OS_INTERFACE) is not an interface',
    )
  })

  it('of TLS: insecure, verify, files with ~', async () => {
    const tls = async (lines: string, env = {}, flags = {}) =>
      await only(`auth: {auth_url: http://a}\n${lines}`, env, flags)
    expect((await tls('insecure: false')).verify).toBe(true)
    expect((await tls('insecure: true', {}, { verify: true })).verify).toBe(true)
    expect((await tls('', {}, { insecure: true })).verify).toBe(false)
    const left = await tls('', { OS_INSECURE: 'true' })
    expect(left.verify).toBe(true) // a variable left in the shell does not weaken a cloud of the file
    const files = await tls('cacert: ~/ca.pem\ncert: c.pem\nkey: /k.pem')
    expect(files.cacert).toMatch(/^\/.*\/ca\.pem$/)
    expect(files.cert).toMatch(/\/work\/c\.pem$/)
    expect(files.key).toBe('/k.pem')
    expect((await tls('verify: /own.pem')).cacert).toBe('/own.pem')
    const ignored = await tls('verify: false\ncacert: /ca.pem')
    expect(ignored.warnings).toHaveLength(1)
  })

  it.each([
    ['yes', 'verify: true'],
    ['Yes', ''],
    ['on', ''],
    ['ON', ''],
    ['true', ''],
    ["'TRUE'", ''],
  ])('of insecure: %s turns verification off', async (written, more) => {
    for (const auth of ['auth: {auth_url: http://a}', 'auth:\n  auth_url: http://a']) {
      expect((await only(`${auth}\ninsecure: ${written}\n${more}`)).verify).toBe(false)
    }
  })

  it.each(["'yes'", '"on"', "'1'", '1', '"Yes"'])('of insecure: %s does not, with a warning', async written => {
    for (const auth of ['auth: {auth_url: http://a}', 'auth:\n  auth_url: http://a']) {
      const cloud = await only(`${auth}\ninsecure: ${written}`)
      expect(cloud.verify).toBe(true)
      expect(cloud.warnings).toEqual([
        expect.stringMatching(/^insecure is ".+" \(from .*:\d cloud c\), which .* verified$/),
      ])
    }
  })

  it.each(['no', "'no'", 'false', "''", '~', 'off'])('of insecure: %s gives no warning', async written => {
    const cloud = await only(`auth: {auth_url: http://a}\ninsecure: ${written}`)
    expect([cloud.verify, cloud.warnings]).toEqual([true, []])
  })

  // difference: odd-switches
  it('of verify: without quotes a boolean, in quotes the name of a file', async () => {
    const verify = async (written: string) => (await only(`auth: {auth_url: http://a}\nverify: ${written}`)).verify
    for (const off of ['no', 'false', 'False', 'off']) expect(await verify(off)).toBe(false)
    for (const on of ['yes', 'true', "'true'", '~', 'ca.pem']) expect(await verify(on)).toBe(true)
    for (const neither of ["'False'", '"no"', "'0'"]) {
      expect((await failureOf(verify(neither))).message).toMatch(/^verify must be true or false without quotes/)
    }
  })

  it('of variables that count only if OS_CLOUD names the environment', async () => {
    const place = await makePlace()
    const with_ = async (env: Record<string, string>, flags = {}) =>
      loadCloud(place.world({ ...openrc, ...env }), flags)
    for (const value of ['1', 'true', 'yes']) {
      const cloud = await with_({ OS_INSECURE: value })
      expect(cloud.verify).toBe(true)
      expect(cloud.warnings).toEqual([expect.stringContaining('OS_INSECURE is ignored')])
    }
    expect((await with_({ OS_INSECURE: '0' })).warnings).toEqual([])
    expect((await with_({ OS_INSECURE: 'true', OS_CLOUD: 'envvars' })).verify).toBe(false)
    expect((await with_({ OS_INSECURE: '1', OS_CLOUD: 'envvars' })).verify).toBe(true)
    expect((await with_({ OS_INSECURE: 'true' }, { 'os-cloud': 'envvars' })).verify).toBe(false)
    // openrc has OS_INTERFACE=internal
    expect((await with_({ OS_ENDPOINT_TYPE: 'admin' })).interface).toBe('internal')
    expect((await with_({ OS_INTERFACE: '', OS_ENDPOINT_TYPE: 'admin' })).interface).toBe('public')
    expect((await with_({ OS_ENDPOINT_TYPE: 'adminURL', OS_CLOUD: 'envvars' })).interface).toBe('admin')
    expect((await only('auth: {auth_url: http://a}', { OS_ENDPOINT_TYPE: 'adminURL' })).interface).toBe('public')
  })

  it('of the interface: endpoint_type beats interface in all layers of the files', async () => {
    const chosen = async (lines: string, env = {}, flags = {}) =>
      (await only(`auth: {auth_url: http://a}\n${lines}`, env, flags)).interface
    expect(await chosen('endpoint_type: adminURL')).toBe('admin')
    expect(await chosen('endpoint_type: admin\ninterface: internal')).toBe('admin')
    expect(await chosen('interface: internal\nendpoint-type: admin')).toBe('admin')
    const regional =
      'regions:\n- name: A\n  values: {interface: internal}\n- name: B\n  values: {endpoint_type: public}'
    expect(await chosen(`endpoint_type: admin\n${regional}`)).toBe('admin')
    expect(await chosen(`endpoint_type: admin\n${regional}`, { OS_REGION_NAME: 'B' })).toBe('public')
    expect(await chosen(`interface: admin\n${regional}`)).toBe('internal')
    // difference: flags-beat-files
    expect(await chosen('endpoint_type: admin', { OS_INTERFACE: 'internal' })).toBe('internal')
    expect(await chosen('endpoint_type: admin', {}, { 'os-interface': 'public' })).toBe('public')
    expect(await chosen('endpoint_type: admin', {}, { 'os-endpoint-type': 'public' })).toBe('public')
  })

  // difference: no-service-provider
  it('of another cloud through this one: refused, not ignored', async () => {
    const login = 'auth: {auth_url: http://a, username: u}'
    const file = await failureOf(only(`${login}\nservice_provider: far`))
    const variable = await failureOf(only(login, { OS_SERVICE_PROVIDER: 'far' }))
    for (const { outcome, message } of [file, variable]) {
      expect(outcome).toBe('usage')
      expect(message).toMatch(/^logging in to "far" through another Keystone \(from .+\) is not supported$/)
    }
  })

  // difference: as-written
  it('of numbers and the like: kept as written', async () => {
    const cloud = await only(
      'auth: {auth_url: http://a, username: 0123, password: 1_000, project_name: yes, user_domain_id: 12:30:45, project_domain_id: 0x1f}',
    )
    expect(cloud.auth).toMatchObject({
      ...{ username: '0123', password: '1_000', project_name: 'yes', user_domain_id: '12:30:45' },
      project_domain_id: '0x1f',
    })
  })

  // difference: default-domain
  it('of domains: without one, default_domain or the domain with the id default', async () => {
    const login = 'auth: {auth_url: http://a, username: u, password: p, project_name: x}'
    const domains = async (lines: string, env = {}) => {
      const { user_domain_id, project_domain_id } = (await only(lines, env)).auth
      return [user_domain_id, project_domain_id]
    }
    expect(await domains(login)).toEqual(['default', 'default'])
    expect(await domains(`${login}\ndefault_domain: dd`)).toEqual(['dd', 'dd'])
    expect(await domains(`${login}\ndefault_domain: dd`, { OS_DEFAULT_DOMAIN: 'env' })).toEqual(['env', 'env'])
  })

  // difference: service-settings
  it('of Magnum alone: container_infra_* beats settings for all services', async () => {
    const cloud = await only(
      'auth: {auth_url: http://a}\ninterface: public\nregion_name: R\ncontainer_infra_interface: admin\ncontainer_infra_region_name: Q\ncontainer_infra_service_type: mine\ncontainer_infra_service_name: one',
    )
    expect(cloud).toMatchObject({ interface: 'admin', region: 'Q', serviceType: 'mine', serviceName: 'one' })
  })

  // difference: more-settings
  it('of variables that the openstack client does not read', async () => {
    const place = await makePlace()
    const cloud = await loadCloud(
      place.world({
        ...openrc,
        OS_API_TIMEOUT: '7',
        OS_SERVICE_TYPE: 'mine',
        OS_SERVICE_NAME: 'one',
        OS_AUTH_TOKEN: 't',
        OS_AUTH_PLUGIN: 'token',
        OS_USER_NAME: 'carl',
        OS_USERNAME: '',
      }),
      {},
    )
    expect(cloud).toMatchObject({ apiTimeout: 7, serviceType: 'mine', serviceName: 'one', auth_type: 'token' })
    expect(cloud.auth).toMatchObject({ token: 't', username: 'carl' })
    expect((await only('auth: {auth_url: http://a}\napi_timeout: 9')).apiTimeout).toBe(9)
  })

  it('of authorities: cacert, then the variables for all programs', async () => {
    const trusted = async (lines: string, env: Record<string, string>, flags = {}) => {
      const cloud = await only(`auth: {auth_url: https://a}\n${lines}`, env, flags)
      return [cloud.cacert, cloud.origins.get('cacert'), cloud.moreAuthorities]
    }
    const all = { REQUESTS_CA_BUNDLE: '/r.pem', CURL_CA_BUNDLE: '/c.pem', SSL_CERT_FILE: '/s.pem' }
    const extra = { NODE_EXTRA_CA_CERTS: '/n.pem' }
    expect(await trusted('', { ...all, ...extra })).toEqual(['/r.pem', 'REQUESTS_CA_BUNDLE', '/n.pem'])
    expect(await trusted('', { ...all, REQUESTS_CA_BUNDLE: '' })).toEqual(['/c.pem', 'CURL_CA_BUNDLE', undefined])
    expect(await trusted('', { SSL_CERT_FILE: '/s.pem' })).toEqual(['/s.pem', 'SSL_CERT_FILE', undefined])
    expect(await trusted('', extra)).toEqual([undefined, undefined, undefined])
    const own = await trusted('cacert: /own.pem', { ...all, ...extra })
    expect(own).toEqual(['/own.pem', expect.stringContaining('cloud c'), undefined])
    expect((await trusted('', { ...all, OS_CACERT: '/o.pem' }))[0]).toBe('/o.pem')
    expect((await trusted('verify: /v.pem', all))[0]).toBe('/v.pem')
    // without verification, no warning about a file for it
    const off = await only('auth: {auth_url: https://a}\nverify: false', all)
    expect([off.cacert, off.warnings]).toEqual([undefined, []])
  })
})

describe('regions', () => {
  const regions = `
auth: {auth_url: "http://{region_name}", username: u}
regions:
- name: A
  values:
    interface: admin
    auth: {username: regional}
- B
`
  it('are the first, or the requested one, with its own values', async () => {
    const first = await only(regions)
    expect(first).toMatchObject({ region: 'A', interface: 'admin' })
    expect(first.auth).toMatchObject({ username: 'regional', auth_url: 'http://A' })
    expect(first.origins.get('interface')).toMatch(/clouds\.yaml:8 cloud c$/)
    expect(await only(regions, { OS_REGION_NAME: 'B' })).toMatchObject({ region: 'B', interface: 'public' })
    expect(await only(regions, { OS_REGION_NAME: 'A' }, { 'os-region-name': 'B' })).toMatchObject({ region: 'B' })
  })

  it('may be written as a list or with commas', async () => {
    for (const written of ['[A, B]', 'A,B']) {
      const lines = `auth: {auth_url: http://a}\nregion_name: ${written}`
      expect((await only(lines)).region).toBe('A')
      expect((await only(lines, {}, { 'os-region-name': 'B' })).region).toBe('B')
    }
  })

  it('are listed if the requested one is not among them', async () => {
    const error = await failureOf(only(regions, { OS_REGION_NAME: 'b' }))
    expect(error.message).toBe('cloud "c" has no region "b" (from OS_REGION_NAME)')
    expect(error.hint).toBe('did you mean "B" or "A"? regions of c: A, B')
  })
})

describe("a profile of the user's own", () => {
  const vendors = `public-clouds:
  acme:
    auth: {auth_url: "https://{region_name}.acme", project_domain_name: Acme}
    interface: internal
    regions:
    - name: east
      values: {interface: admin}
    - west
  single: {auth: {auth_url: http://single}, region_name: one}
  twice: {auth: {auth_url: http://a, auth_url: http://b}}
  text: hello
`
  async function by(entry: string, env: Record<string, string> = {}, where = '.config/openstack/clouds-public.yaml') {
    const place = await withClouds(`clouds:\n  c:\n${entry.replace(/^/gm, '    ')}\n`)
    const path = await place.file(where, vendors)
    return { path, cloud: await loadCloud(place.world({ OS_CLOUD: 'c', ...env }), {}) }
  }

  it('is overridden by the cloud, and gives its regions to a cloud without any', async () => {
    const { path, cloud } = await by('profile: acme\nauth: {username: u, project_name: p}')
    expect(cloud).toMatchObject({ region: 'east', interface: 'admin' })
    expect(cloud.auth).toMatchObject({ auth_url: 'https://east.acme', username: 'u', project_domain_name: 'Acme' })
    expect(cloud.origins.get('auth.auth_url')).toBe(`${path}:3 profile acme`)
    expect(cloud.warnings).toEqual([expect.stringContaining(':10: the key "auth_url" appears twice')])
    const west = (await by('cloud: acme', { OS_REGION_NAME: 'west' })).cloud
    expect(west).toMatchObject({ region: 'west', interface: 'internal', auth: { auth_url: 'https://west.acme' } })
    const own = (await by('profile: acme\nregion_name: mine\ninterface: public')).cloud
    expect(own).toMatchObject({ region: 'mine', interface: 'public' })
    expect((await by('profile: single', {}, 'work/clouds-public.yml')).cloud.region).toBe('one')
  })

  it('is refused if it is malformed', async () => {
    const north = await failureOf(by('profile: acme', { OS_REGION_NAME: 'north' }))
    expect(north.message).toBe('cloud "c" has no region "north" (from OS_REGION_NAME)')
    expect(north.hint).toContain('east, west')
    expect((await failureOf(by('profile: text'))).message).toMatch(
      /^profile "text" in .*clouds-public.yaml:11 does not hold/,
    )
    expect((await failureOf(by('profile: twice'))).message).toContain('the key "auth_url" appears twice')
    // difference: vendor-profiles
    const unknown = await failureOf(by('profile: vexxhost'))
    expect(unknown.message).toContain('the profile "vexxhost", which is in none of your clouds-public.yaml files')
  })
})

describe('repeated keys', () => {
  const files = `shared: &shared {username: u, username: v}
clouds:
  good: {auth: {auth_url: http://good}}
  bad:
    auth: {auth_url: http://a, auth_url: http://b}
    region_name: R
    region_name: S
  merging: {auth: {<<: *shared, auth_url: http://m}}
  again: {auth: {auth_url: http://a}}
  again: {auth: {auth_url: http://b}}
`
  const load = async (name: string, text = files) => {
    const place = await withClouds(text)
    return { path: place.path, cloud: await loadCloud(place.world({ OS_CLOUD: name }), {}) }
  }

  it('of another cloud give one note', async () => {
    const { path, cloud } = await load('good')
    expect(cloud.auth.auth_url).toBe('http://good')
    expect(cloud.warnings).toEqual([
      `${path}:1: the key "username" appears twice, and 3 more keys; the later value is used there, and the cloud in use is not affected`,
    ])
  })

  // difference: repeated-keys
  it.each([
    ['bad', 'region_name', 7],
    ['merging', 'username', 1],
    ['again', 'again', 10],
  ])('are refused where they matter: %s', async (name, key, line) => {
    const error = await failureOf(load(name))
    expect(error.message).toContain(`the key "${key}" appears twice`)
    expect(error.details.line).toBe(line)
  })

  it('above the clouds are refused', async () => {
    const error = await failureOf(load('a', 'clouds: {b: {}}\nclouds: {a: {auth: {auth_url: http://a}}}\n'))
    expect(error.message).toContain('the key "clouds" appears twice')
  })
})

describe('a missing address', () => {
  it('names the file to change', async () => {
    expect((await failureOf(only('auth: {username: u}'))).message).toMatch(
      /cloud "c" in .*clouds\.yaml has no auth_url/,
    )
    expect((await failureOf(only(''))).message).toMatch(/has no auth_url/)
    const place = await makePlace()
    const env = await failureOf(loadCloud(place.world({ OS_USERNAME: 'u' }), {}))
    expect(env.message).toBe('the cloud given by OS_USERNAME has no auth_url')
    expect((await failureOf(only('auth_type: none'))).message).toMatch(/has no endpoint/)
  })

  it('names the vendor profile it may be in', async () => {
    const error = await failureOf(only('profile: vexxhost\nauth: {username: u}'))
    expect(error.message).toContain('the profile "vexxhost"')
    const known = await only('cloud: vexxhost\nauth: {username: u, auth_url: http://mine}')
    expect(known.auth.auth_url).toBe('http://mine')
  })
})

it('the YAML library is not loaded for the environment or a plain clouds.yaml', async () => {
  const place = await withClouds(prod)
  vi.doMock('yaml', () => {
    throw new Error('the library was asked for')
  })
  try {
    expect((await loadCloud(place.world(openrc), {})).name).toBe('envvars')
    expect((await loadCloud(place.world({ OS_CLOUD: 'prod' }), {})).auth.password).toBe('file-secret')
    const flow = await withClouds('clouds: {c: {auth: {auth_url: x}}}\n')
    await expect(loadCloud(flow.world(), {})).rejects.toThrow()
  } finally {
    vi.doUnmock('yaml')
  }
})
