import { describe, expect, it } from 'vitest'
import { cloud, errorOf } from './cloud.ts'

const minimal = { name: 'tpl', image_id: 'fedora-coreos-38', coe: 'kubernetes' }

describe('cluster templates', () => {
  it('are created with a 201, all attributes and a Location', async () => {
    const { as, sandbox } = await cloud()
    const reply = await as('demo/demo')('POST', '/v1/clustertemplates', { ...minimal, name: undefined })
    expect(reply.status).toBe(201)
    expect(reply.json).toMatchObject({ coe: 'kubernetes', cluster_distro: 'fedora-coreos', network_driver: 'flannel' })
    expect(reply.json).toMatchObject({ labels: null, floating_ip_enabled: true, updated_at: null, hidden: false })
    expect(reply.json.name).toMatch(/^[a-z]+-\d+-template$/)
    expect(reply.json.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    expect(reply.headers.location).toBe(`${sandbox.magnumUrl}/clustertemplates/${reply.json.uuid}`)
    const shown = await as('demo/demo')('GET', `/v1/clustertemplates/${reply.json.uuid}`)
    expect(shown.json).toEqual({ ...reply.json, labels: {} })
  })

  it('may have the same name, which is then ambiguous', async () => {
    const { as, template } = await cloud()
    await template({ name: 'twice' })
    await template({ name: 'twice' })
    const reply = await as('demo/demo')('GET', '/v1/clustertemplates/twice')
    expect(reply.status).toBe(409)
    expect(errorOf(reply)).toMatchObject({
      title: 'Multiple ClusterTemplates exist with same name',
      detail: 'Multiple ClusterTemplates exist with same name. Please use the ClusterTemplate uuid instead.',
    })
  })

  it.each([
    [{ image_id: undefined }, "Invalid input for field/attribute image_id. Value: 'None'. Mandatory field missing."],
    [{ image_id: 'nosuch' }, 'Cluster type (vm, Unset, kubernetes) not supported.'],
    [{ image_id: 'no-distro' }, 'Cluster type (vm, None, kubernetes) not supported.'],
    [{ image_id: 'windows' }, 'Cluster type (vm, windows, kubernetes) not supported.'],
    [{ coe: undefined }, 'Requested COE type Unset is not supported.'],
    [{ flavor_id: 'm1.huge' }, 'Unable to find flavor m1.huge.'],
    [{ external_network_id: 'nonet' }, 'Unable to find external network nonet.'],
    [
      { network_driver: 'weave' },
      'Network driver type weave is not supported, expecting a flannel/calico/unspecified network driver.',
    ],
    [{ dns_nameserver: 'x' }, 'Expected a single dns address or comma separated dns list, but received x.'],
    [
      { docker_volume_size: 0 },
      "Invalid input for field/attribute docker_volume_size. Value: '0'. Value should be greater or equal to 1",
    ],
    [
      { name: '' },
      "Invalid input for field/attribute name. Value: ''. Value should have a minimum character requirement of 1",
    ],
    [{ nosuch: 1 }, 'Unknown attribute for argument cluster_template: nosuch'],
  ])('are refused: %j', async (wrong, detail) => {
    const { as } = await cloud()
    const reply = await as('demo/demo')('POST', '/v1/clustertemplates', { ...minimal, ...wrong })
    expect(reply.status).toBe(400)
    expect(errorOf(reply)).toMatchObject({ code: 'client', status: 400, detail, title: detail.split('.')[0] })
  })

  it('name the complete body, in Python, in the error for an unconvertible value', async () => {
    const { as } = await cloud()
    const reply = await as('demo/demo')('POST', '/v1/clustertemplates', { ...minimal, labels: 'a=b', public: true })
    const body = "{'name': 'tpl', 'image_id': 'fedora-coreos-38', 'coe': 'kubernetes', 'labels': 'a=b', 'public': True}"
    expect(errorOf(reply).detail).toBe(
      `Invalid input for field/attribute cluster_template. Value: '${body}'. Value not a valid dict: a=b`,
    )
  })

  it.each([
    ['', undefined, 400, 'Missing argument: "cluster_template"'],
    ['{', undefined, 400, 'Request is not in valid JSON format'],
    ['{}', 'text/plain', 415, 'Unknown mimetype: text/plain'],
  ])('need a body: %j', async (body, type, status, detail) => {
    const { as } = await cloud()
    const headers = type ? { 'Content-Type': type } : {}
    const reply = await as('demo/demo')('POST', '/v1/clustertemplates', body, { headers })
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it('are published only by admins, visible to all, and changed only by their own project', async () => {
    const { as, template } = await cloud()
    const refused = await as('demo/demo')('POST', '/v1/clustertemplates', { ...minimal, public: true })
    expect([refused.status, errorOf(refused).detail]).toEqual([
      403,
      'Not authorized to set public or hidden flag for cluster template.',
    ])
    const open = await as('admin/admin')('POST', '/v1/clustertemplates', { ...minimal, name: 'open', public: true })
    expect((await as('alt/alt')('GET', '/v1/clustertemplates/open')).json.uuid).toBe(open.json.uuid)
    const gone = await as('alt/alt')('DELETE', '/v1/clustertemplates/open')
    expect(errorOf(gone).detail).toBe("Policy doesn't allow clustertemplate:delete to be performed.")
    const own = await template()
    expect((await as('alt/alt')('GET', `/v1/clustertemplates/${own}`)).status).toBe(404)
    expect((await as('alt/alt')('GET', '/v1/clustertemplates')).json.clustertemplates).toHaveLength(1)
  })

  it('are patched at once; the answer shows the old updated_at', async () => {
    const { as, template } = await cloud()
    const uuid = await template()
    const patch = (...operations: object[]) => as('demo/demo')('PATCH', `/v1/clustertemplates/${uuid}`, operations)
    const first = await patch({
      op: 'replace',
      path: '/labels',
      value: "{'a': 'b', \"c\": 'it''s'}".replace("''", "\\'"),
    })
    expect(first.status).toBe(200)
    expect(first.json.labels).toEqual({ a: 'b', c: "it's" })
    expect(first.json.updated_at).toBeNull()
    const second = await patch({ op: 'add', path: '/labels/x', value: '1' }, { op: 'remove', path: '/network_driver' })
    expect(errorOf(second).detail).toBe("'/network_driver' is a mandatory attribute and can not be removed")
    const third = await patch({ op: 'add', path: '/labels/x', value: '1' })
    expect(third.json.labels).toEqual({ a: 'b', c: "it's", x: '1' })
    expect(third.json.updated_at).not.toBeNull()
  })

  it.each([
    [
      { op: 'replace', path: '/labels', value: { a: 'b' } },
      "Invalid input for field/attribute value. Value: '{'a': 'b'}'. Wrong type. Expected '(<class 'str'>, <class 'int'>)', got '<class 'dict'>'",
    ],
    [
      { op: 'replace', path: '/docker_volume_size', value: '12' },
      "Invalid input for field/attribute docker_volume_size. Value: '12'. '<' not supported between instances of 'str' and 'int'",
    ],
    [
      { op: 'replace', path: '/nosuch', value: 1 },
      "Couldn't apply patch '[{'path': '/nosuch', 'op': 'replace', 'value': 1}]'. Reason: can't replace a non-existent object 'nosuch'",
    ],
    [{ op: 'replace', path: '/uuid', value: 'x' }, "'/uuid' is an internal attribute and can not be updated"],
    [
      { op: 'copy', path: '/name', value: 'x' },
      "Invalid input for field/attribute op. Value: 'copy'. Value should be one of: replace, add, remove",
    ],
    [
      { op: 'add', path: '/name', value: 'x' },
      "The attribute /name has existed, please use 'replace' operation instead.",
    ],
    [{ op: 'replace', path: '/name' }, "'add' and 'replace' operations needs value"],
  ])('refuse the patch %j', async (operation, detail) => {
    const { as, template } = await cloud()
    const reply = await as('demo/demo')('PATCH', `/v1/clustertemplates/${await template()}`, [operation])
    expect([reply.status, errorOf(reply).detail]).toEqual([400, detail])
  })

  it('in use are neither deleted nor changed, except for one harmless field at a time', async () => {
    const { as, template, cluster } = await cloud()
    const uuid = await template()
    await cluster('c1', { cluster_template_id: uuid })
    const demo = as('demo/demo')
    const detail = `ClusterTemplate ${uuid} is referenced by one or multiple clusters.`
    const path = `/v1/clustertemplates/${uuid}`
    const name = { op: 'replace', path: '/name', value: 'other' }
    const tags = { op: 'replace', path: '/tags', value: 'a,b' }
    expect(errorOf(await demo('DELETE', path))).toMatchObject({ status: 400, detail })
    expect(
      errorOf(await demo('PATCH', path, [{ op: 'replace', path: '/dns_nameserver', value: '8.8.4.4' }])).detail,
    ).toBe(detail)
    expect(errorOf(await demo('PATCH', path, [name, tags])).detail).toBe(detail)
    expect((await demo('PATCH', path, [name])).json.name).toBe('other')
    expect((await demo('PATCH', path, [tags])).json.tags).toBe('a,b')
  })
})
