/** /v1/clustertemplates: complete and synchronous answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  patchTemplate,
} from '../../../src/openstack/magnum-api/templates.ts'
import { belongings, templateBody } from './belongings.ts'
import { refusal } from './exchanges.ts'
import { type Caller, target } from './target.ts'

const nobody = '11111111-0000-4000-8000-000000000000'
const cloud = await target()
const ours = belongings(cloud)
let user: Caller
let template: string
/** A template that a cluster uses. */
let used: string

beforeAll(async () => {
  if (!cloud.there) return
  user = await cloud.as('user')
  template = await ours.template('plain')
  used = await ours.template('used')
  await ours.cluster('stuck', used)
})
afterAll(async () => {
  await ours.removeAll()
  await cloud.close()
})

describe.runIf(cloud.there)('createTemplate', () => {
  it('returns 201 with all fields, its address, and null for fields that were not sent', async () => {
    const body = templateBody(ours.name('new'), { dns_nameserver: '8.8.8.8,1.1.1.1', docker_volume_size: 5 })
    const made = await createTemplate(user.service, body)
    expect(user.last().status).toBe(201)
    expect(user.last().headers.location).toMatch(new RegExp(`/v1/clustertemplates/${made.uuid}$`))
    expect(made).toMatchObject({ ...body, http_proxy: null, fixed_network: null, tls_disabled: false, public: false })
    expect(made).toMatchObject({ server_type: 'vm', cluster_distro: 'fedora-coreos', updated_at: null })
    await deleteTemplate(user.service, made.uuid)
  })

  it('accepts a name twice: coe must refuse it', async () => {
    await ours.template('twice')
    await ours.template('twice')
    for (const request of [getTemplate, deleteTemplate]) {
      expect(await refusal(request(user.service, ours.name('twice')))).toEqual([
        409,
        'Multiple ClusterTemplates exist with same name. Please use the ClusterTemplate uuid instead.',
      ])
    }
  })

  it.each([
    [
      'no image',
      { image_id: undefined },
      400,
      "Invalid input for field/attribute image_id. Value: 'None'. Mandatory field missing.",
    ],
    ['an image that is not there', { image_id: 'nosuch' }, 400, 'Cluster type (vm, Unset, kubernetes) not supported.'],
    ['a flavor that is not there', { flavor_id: 'huge.one' }, 400, 'Unable to find flavor huge.one.'],
    ['a network that is not there', { external_network_id: 'nonet' }, 400, 'Unable to find external network nonet.'],
    ['a field that it does not know', { nosuch: 1 }, 400, 'Unknown attribute for argument cluster_template: nosuch'],
    [
      'a driver that it does not know',
      { network_driver: 'weave' },
      400,
      'Network driver type weave is not supported, expecting a flannel/calico/unspecified network driver.',
    ],
    [
      'a name server that is none',
      { dns_nameserver: 'nonsense' },
      400,
      'Expected a single dns address or comma separated dns list, but received nonsense.',
    ],
    [
      'an empty name',
      { name: '' },
      400,
      "Invalid input for field/attribute name. Value: ''. Value should have a minimum character requirement of 1",
    ],
  ])('is refused with %s', async (_, values, status, reason) => {
    expect(await refusal(createTemplate(user.service, templateBody(ours.name('no'), values)))).toEqual([status, reason])
  })

  it('for all projects is refused, except to an administrator', async () => {
    for (const values of [{ public: true }, { hidden: true }]) {
      expect(await refusal(createTemplate(user.service, templateBody(ours.name('no'), values)))).toEqual([
        403,
        'Not authorized to set public or hidden flag for cluster template.',
      ])
    }
  })
})

describe.runIf(cloud.there)('getTemplate', () => {
  it('answers by uuid and by name', async () => {
    const byUuid = await getTemplate(user.service, template)
    expect(byUuid).toMatchObject({ uuid: template, name: ours.name('plain'), labels: { kube_tag: 'v1.22.1' } })
    expect(await getTemplate(user.service, ours.name('plain'))).toEqual(byUuid)
  })

  it('is refused for what is not there', async () => {
    for (const ref of [ours.name('nosuch'), nobody]) {
      expect(await refusal(getTemplate(user.service, ref))).toEqual([404, `ClusterTemplate ${ref} could not be found.`])
    }
  })

  it.runIf(cloud.has('admin') && cloud.has('other'))('answers other projects for public ones alone', async () => {
    const { service } = await cloud.as('other')
    expect(await refusal(getTemplate(service, template))).toEqual([
      404,
      `ClusterTemplate ${template} could not be found.`,
    ])
    const shared = await ours.template('shared', { public: true }, 'admin')
    expect((await getTemplate(service, shared)).public).toBe(true)
    expect(await refusal(deleteTemplate(service, shared))).toEqual([
      403,
      "Policy doesn't allow clustertemplate:delete to be performed.",
    ])
    const patch = [{ op: 'replace' as const, path: '/dns_nameserver', value: '8.8.4.4' }]
    expect(await refusal(patchTemplate(service, shared, patch))).toEqual([
      403,
      "Policy doesn't allow clustertemplate:update to be performed.",
    ])
  })
})

describe.runIf(cloud.there)('listTemplates', () => {
  it('returns complete templates in the order of creation, in pages', async () => {
    const all = await listTemplates(user.service, {})
    const at = all.findIndex(({ uuid }) => uuid === template)
    expect(all[at]).toEqual(await getTemplate(user.service, template))
    expect(all.findIndex(({ uuid }) => uuid === used)).toBeGreaterThan(at)
    const [next] = await listTemplates(user.service, { limit: 1, marker: template })
    expect(next?.uuid).toBe(all[at + 1]?.uuid)
    expect(JSON.parse(user.last().text).next).toMatch(new RegExp(`marker=${next?.uuid}$`))
  })

  it('is sorted as asked', async () => {
    const names = (await listTemplates(user.service, { sortKey: 'name', sortDir: 'desc' })).map(t => t.name)
    expect(names.indexOf(ours.name('used'))).toBeLessThan(names.indexOf(ours.name('plain')))
  })

  it.each([
    [{ limit: 0 }, 400, 'Limit must be positive'],
    [{ sortKey: 'nosuch' }, 400, 'The sort_key value "nosuch" is an invalid field for sorting'],
    [{ marker: nobody }, 404, `ClusterTemplate ${nobody} could not be found.`],
  ])('is refused with %j', async (page, status, reason) => {
    expect(await refusal(listTemplates(user.service, page))).toEqual([status, reason])
  })
})

describe.runIf(cloud.there)('patchTemplate', () => {
  it('returns 200 with the changed template; labels are set one by one, or all as text', async () => {
    const changed = await patchTemplate(user.service, template, [
      { op: 'replace', path: '/dns_nameserver', value: '1.1.1.1' },
      { op: 'add', path: '/labels/x', value: 'y' },
    ])
    expect(user.last().status).toBe(200)
    expect(changed).toMatchObject({ dns_nameserver: '1.1.1.1', labels: { kube_tag: 'v1.22.1', x: 'y' } })
    const patch = [{ op: 'replace' as const, path: '/labels', value: '{"kube_tag": "v1.22.1"}' }]
    expect((await patchTemplate(user.service, template, patch)).labels).toEqual({ kube_tag: 'v1.22.1' })
    const [removed] = [await patchTemplate(user.service, template, [{ op: 'remove', path: '/dns_nameserver' }])]
    expect(removed?.dns_nameserver).not.toBe('1.1.1.1')
  })

  it('is refused for missing and immutable fields, and to members', async () => {
    const patch = (path: string, value: string | boolean) =>
      refusal(patchTemplate(user.service, template, [{ op: 'replace', path, value }]))
    expect((await patch('/nosuch', '1'))[1]).toMatch(/^Couldn't apply patch .* Reason: can't replace/)
    expect(await patch('/uuid', '1')).toEqual([400, "'/uuid' is an internal attribute and can not be updated"])
    expect(await patch('/public', true)).toEqual([
      403,
      'Not authorized to set public or hidden flag for cluster template.',
    ])
  })

  it('of one in use is refused, except for the name alone', async () => {
    const patch = (path: string, value: string) => patchTemplate(user.service, used, [{ op: 'replace', path, value }])
    expect(await refusal(patch('/dns_nameserver', '9.9.9.9'))).toEqual([
      400,
      `ClusterTemplate ${used} is referenced by one or multiple clusters.`,
    ])
    expect((await patch('/name', ours.name('renamed'))).name).toBe(ours.name('renamed'))
    expect((await refusal(patch('/name', ours.name('renamed'))))[0], 'what changes nothing').toBe(400)
    expect((await patch('/name', ours.name('used'))).name).toBe(ours.name('used'))
  })
})

describe.runIf(cloud.there)('deleteTemplate', () => {
  it('returns 204 without a body, and the template is gone', async () => {
    const uuid = await ours.template('brief')
    await deleteTemplate(user.service, uuid)
    expect([user.last().status, user.last().text]).toEqual([204, ''])
    expect(await refusal(deleteTemplate(user.service, uuid))).toEqual([
      404,
      `ClusterTemplate ${uuid} could not be found.`,
    ])
  })

  it('of one in use is refused', async () => {
    expect(await refusal(deleteTemplate(user.service, used))).toEqual([
      400,
      `ClusterTemplate ${used} is referenced by one or multiple clusters.`,
    ])
  })
})
