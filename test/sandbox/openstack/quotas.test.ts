import { describe, expect, it } from 'vitest'
import { cloud, errorOf } from './cloud.ts'

describe('quotas', () => {
  it('are the default if none is stored, and of another project only for an admin', async () => {
    const { as, sandbox } = await cloud()
    const { demo } = sandbox.openstack.accounts.projects
    const path = `/v1/quotas/${demo.id}/Cluster`
    const quota = { hard_limit: 20, project_id: demo.id, resource: 'Cluster' }
    expect((await as('demo/demo')('GET', path)).json).toEqual(quota)
    expect((await as('admin/admin')('GET', path)).json).toEqual(quota)
    const other = await as('alt/alt')('GET', path)
    expect([other.status, errorOf(other).detail]).toEqual([403, 'Not authorized.'])
  })

  it('are created, changed, listed and deleted by admins', async () => {
    const { as, sandbox } = await cloud()
    const { demo, alt } = sandbox.openstack.accounts.projects
    const admin = as('admin/admin')
    const body = { project_id: demo.id, resource: 'Cluster', hard_limit: 3 }
    const made = await admin('POST', '/v1/quotas', body)
    expect([made.status, made.json.id, made.json.hard_limit, made.json.updated_at]).toEqual([201, 1, 3, null])
    const again = await admin('POST', '/v1/quotas', body)
    expect([again.status, errorOf(again).detail]).toEqual([
      409,
      `Quota for project ${demo.id} already exists for resource Cluster.`,
    ])
    const path = `/v1/quotas/${demo.id}/Cluster`
    const changed = await admin('PATCH', path, { ...body, hard_limit: 4 })
    expect([changed.status, changed.json.hard_limit]).toEqual([202, 4])
    expect((await admin('PATCH', path, { resource: 'Cluster' })).json.hard_limit).toBe(1) // a missing limit means 1
    expect((await admin('GET', '/v1/quotas')).json.quotas).toEqual([]) // its own project has none
    expect((await admin('GET', '/v1/quotas?all_tenants=True')).json.quotas).toHaveLength(1)
    expect((await admin('DELETE', path)).status).toBe(204)
    const gone = await admin('DELETE', path)
    expect(errorOf(gone).detail).toBe(`Quota could not be found: project_id ${demo.id} resource Cluster.`)
    const nowhere = await admin('PATCH', `/v1/quotas/${alt.id}/Cluster`, { resource: 'Cluster' })
    expect(nowhere.status).toBe(404)
  })

  it.each([
    [
      { resource: 'Nodes' },
      400,
      "Invalid input for field/attribute resource. Value: 'Nodes'. Value should be one of: Cluster",
    ],
    [{ project_id: 'nosuch' }, 404, 'The project_id nosuch could not be found.'],
    [
      { hard_limit: -2 },
      400,
      "Invalid input for field/attribute hard_limit. Value: '-2'. Value should be greater or equal to 0",
    ],
  ])('are refused: %j', async (wrong, status, detail) => {
    const { as, sandbox } = await cloud()
    const good = { project_id: sandbox.openstack.accounts.projects.demo.id, resource: 'Cluster' }
    const reply = await as('admin/admin')('POST', '/v1/quotas', { ...good, ...wrong })
    expect([reply.status, errorOf(reply).detail]).toEqual([status, detail])
  })

  it.each([
    ['GET', '/v1/quotas', 'quota:get_all'],
    ['POST', '/v1/quotas', 'quota:create'],
    ['GET', '/v1/mservices', 'magnum-service:get_all'],
  ])('and services are for admins: %s %s', async (method, path, rule) => {
    const { as } = await cloud()
    const reply = await as('demo/demo')(method, path, method === 'POST' ? { resource: 'Cluster' } : undefined)
    expect([reply.status, errorOf(reply).detail]).toEqual([403, `Policy doesn't allow ${rule} to be performed.`])
  })
})

describe('numbers and services', () => {
  it('count clusters and all their nodes', async () => {
    const { as, sandbox } = await cloud({ clusters: 2 })
    const { demo } = sandbox.openstack.accounts.projects
    expect((await as('demo/demo')('GET', '/v1/stats')).json).toEqual({ clusters: 2, nodes: 4 })
    expect((await as('admin/admin')('GET', '/v1/stats')).json).toEqual({ clusters: 2, nodes: 4 })
    expect((await as('alt/alt')('GET', '/v1/stats')).json).toEqual({ clusters: 0, nodes: 0 })
    expect((await as('alt/alt')('GET', `/v1/stats?project_id=${demo.id}`)).status).toBe(403)
    const other = await as('demo/demo')('GET', '/v1/stats?type=nodes')
    expect(errorOf(other).detail).toBe("Invalid stats type. Allowed values are 'cluster'")
  })

  it('show the conductor to an admin', async () => {
    const { as } = await cloud()
    const { mservices } = (await as('admin/admin')('GET', '/v1/mservices')).json
    expect(mservices).toHaveLength(1)
    expect(mservices[0]).toMatchObject({ binary: 'magnum-conductor', state: 'up', disabled: false })
  })
})
