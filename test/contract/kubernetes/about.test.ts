/** coe's first questions to a server: its identity, our user and our rights. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectCluster } from '../../../src/kube/access/connect.ts'
import { failureOf } from '../../support/kube.ts'
import { type Belongings, belongings } from './belongings.ts'
import { target, world } from './target.ts'

const clusters = await target()
const { host, member } = clusters
const ours: Belongings = belongings(host.api)
let place: string
let nobody: string

beforeAll(async () => {
  if (!clusters.there) return
  place = await ours.namespace('about')
  nobody = await ours.account(place, 'nobody')
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('version', () => {
  it('is visible to every user, even without a role', async () => {
    const expected = {
      major: '1',
      gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/),
      minor: expect.stringMatching(/^\d+/),
    }
    expect(await host.api.version()).toMatchObject(expected)
    expect(await host.as(nobody).version()).toMatchObject(expected)
  })
})

describe.runIf(clusters.there)('whoami', () => {
  it('names the user and the groups', async () => {
    expect(await host.api.whoami()).toMatchObject({
      username: expect.stringMatching(/./),
      groups: expect.arrayContaining(['system:authenticated']),
    })
  })

  it('names a service account as RBAC does', async () => {
    expect(await host.as(nobody).whoami()).toMatchObject({
      username: `system:serviceaccount:${place}:nobody`,
      groups: expect.arrayContaining([
        'system:serviceaccounts',
        `system:serviceaccounts:${place}`,
        'system:authenticated',
      ]),
    })
  })

  it('is refused to an invalid token, and to one of another cluster', async () => {
    for (const stranger of [host.as('not-a-token'), member.as(nobody)]) {
      const error = await failureOf(stranger.whoami())
      expect(error.message).toContain('does not accept the credentials (to tell who we are)')
      expect(error).toMatchObject({ exitCode: 4, details: { status: 401, reason: 'Unauthorized' } })
    }
  })

  it('sends no request if the certificate is by another authority', async () => {
    const mixedUp = connectCluster({ ...host.access, ca: member.access.ca }, { world, userAgent: 'coe-contract' })
    expect((await failureOf(mixedUp.whoami())).message).toMatch(/certificate/)
  })
})

describe.runIf(clusters.there)('canI', () => {
  const questions = [
    { verb: 'create', resource: 'namespaces' },
    { verb: 'create', group: 'apps', resource: 'deployments', namespace: 'default' },
    { verb: 'update', group: 'apps', resource: 'deployments', subresource: 'status', namespace: 'default', name: 'x' },
    { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
  ]

  it('is always yes for an administrator', async () => {
    expect(await host.api.canI(questions)).toEqual([true, true, true, true])
    expect(await host.api.canI([{ verb: '*', group: '*', resource: '*' }])).toEqual([true])
  })

  it('is no without a role, except for what every user may do', async () => {
    expect(await host.as(nobody).canI(questions)).toEqual([false, false, false, true])
  })
})

describe.runIf(clusters.there)('identity', () => {
  it('is the UID of kube-system, and another on each cluster', async () => {
    const live = await host.api.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' })
    expect(live?.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(await host.api.identity()).toBe(live?.metadata.uid)
    expect(await member.api.identity()).not.toBe(live?.metadata.uid)
  })

  it('is refused to users who may not see it', async () => {
    const { message } = await failureOf(host.as(nobody).identity())
    expect(message).toContain(`does not let "system:serviceaccount:${place}:nobody" get namespaces`)
  })
})

describe.runIf(clusters.there)('serves', () => {
  it('tells existing from missing kinds, in served and in unknown groups', async () => {
    const kinds = [
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
      { apiVersion: 'apps/v1', kind: 'Sandcastle' },
      { apiVersion: 'no.such.group.example/v1', kind: 'Sandcastle' },
    ]
    expect(await Promise.all(kinds.map(kind => host.api.serves(kind)))).toEqual([true, true, false, false])
    expect(await host.as(nobody).serves(kinds[0] as never)).toBe(true)
  })

  it('refuses a request for a missing kind, and names the kind', async () => {
    const error = await failureOf(host.api.list({ apiVersion: 'no.such.group.example/v1', kind: 'Sandcastle' }))
    expect(error.message).toContain('has no kind Sandcastle in no.such.group.example/v1')
    expect(error.exitCode).toBe(1)
  })
})

describe.runIf(clusters.there)('raw', () => {
  it("has the server's time", async () => {
    const { headers } = await host.api.raw({ method: 'GET', path: '/version' })
    expect(Math.abs(Date.parse(headers.date ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('tells every logged-in user whether the server is ready', async () => {
    expect((await host.as(nobody).raw({ method: 'GET', path: '/readyz' })).status).toBe(200)
  })

  it('returns raw answers: health and refusals', async () => {
    expect(await host.api.raw({ method: 'GET', path: '/readyz' })).toMatchObject({ status: 200, text: 'ok' })
    const { status, text, headers } = await host.as(nobody).raw({ method: 'GET', path: '/metrics' })
    expect(status).toBe(403)
    expect(headers['content-type']).toContain('application/json')
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason: 'Forbidden', code: 403 })
  })
})
