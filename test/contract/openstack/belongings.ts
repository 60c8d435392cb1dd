/** Templates and clusters for the contract, under unique names, and all removed at the end. */
import { randomBytes } from 'node:crypto'
import { CoeError } from '../../../src/core/errors.ts'
import { poll } from '../../../src/core/poll.ts'
import type { Cluster } from '../../../src/model/cluster.ts'
import { isMoving } from '../../../src/model/status.ts'
import * as clusters from '../../../src/openstack/magnum-api/clusters.ts'
import * as templates from '../../../src/openstack/magnum-api/templates.ts'
import type { Service } from '../../../src/openstack/service.ts'
import { type CallerRole, onRealServers, type Target } from './target.ts'

const { env } = process
const real = (name: string) => (onRealServers ? env[name] : undefined)

/** Names that differ between clouds. */
export const offer = {
  image_id: real('COE_E2E_IMAGE') ?? 'fedora-coreos-38',
  flavor_id: real('COE_E2E_FLAVOR') ?? 'm1.small',
  master_flavor_id: real('COE_E2E_FLAVOR') ?? 'm1.small',
  keypair_id: real('COE_E2E_KEYPAIR') ?? 'testkey',
  external_network_id: real('COE_E2E_NETWORK') ?? 'public',
}

export const templateBody = (name: string, values: object = {}): Record<string, unknown> => ({
  name,
  coe: 'kubernetes',
  network_driver: 'calico',
  master_lb_enabled: true,
  labels: { kube_tag: 'v1.22.1' },
  ...offer,
  ...values,
})

export interface Belongings {
  /** A unique name. */
  name(what: string): string
  template(what: string, values?: object, role?: CallerRole): Promise<string>
  /** Waits until it is accepted and visible; `stable` waits until it is complete. */
  cluster(what: string, template: string, values?: object, role?: CallerRole): Promise<string>
  stable(uuid: string): Promise<Cluster>
  /** Reads a cluster until it matches. */
  until(uuid: string, what: string, is: (cluster: Cluster) => boolean): Promise<Cluster>
  gone(uuid: string, role?: CallerRole): Promise<void>
  removeAll(): Promise<void>
}

export function belongings(target: Target): Belongings {
  const prefix = `ct-${randomBytes(3).toString('hex')}`
  const made: { role: CallerRole; kind: 'cluster' | 'template'; uuid: string }[] = []
  const service = async (role: CallerRole): Promise<Service> => (await target.as(role)).service
  const { clock } = target
  const read = async (uuid: string, role: CallerRole = 'user'): Promise<Cluster | undefined> =>
    clusters.getCluster(await service(role), uuid).catch(whereGone)

  const until: Belongings['until'] = (uuid, what, is) => {
    let last: Cluster | undefined
    const once = async () => {
      last = await read(uuid)
      return last && is(last) ? last : undefined
    }
    return poll(once, {
      clock,
      timeoutMs: 240_000,
      maxIntervalMs: 1_000,
      what: `cluster ${uuid} to be ${what}`,
      lastSeen: () => String(last?.status),
    })
  }
  const gone: Belongings['gone'] = async (uuid, role) => {
    const once = async () => ((await read(uuid, role)) === undefined ? true : undefined)
    await poll(once, { clock, timeoutMs: 240_000, maxIntervalMs: 1_000, what: `cluster ${uuid} to be gone` })
  }

  return {
    name: what => `${prefix}-${what}`,
    async template(what, values = {}, role = 'user') {
      const body = templateBody(`${prefix}-${what}`, values)
      const { uuid } = await templates.createTemplate(await service(role), body)
      made.push({ role, kind: 'template', uuid })
      return uuid
    },
    async cluster(what, template, values = {}, role = 'user') {
      const body = { name: `${prefix}-${what}`, cluster_template_id: template, ...values }
      const { uuid } = await clusters.createCluster(await service(role), body)
      made.push({ role, kind: 'cluster', uuid })
      await poll(() => read(uuid, role), {
        clock,
        timeoutMs: 120_000,
        intervalMs: 50,
        what: `cluster ${uuid} to be seen`,
      })
      return uuid
    },
    until,
    stable: uuid => until(uuid, 'stable', cluster => !isMoving(cluster.status)),
    gone,
    async removeAll() {
      if (target.sandbox) return // closing the sandbox removes all
      const left = made.filter(thing => thing.kind === 'cluster')
      for (const { role, uuid } of left) {
        await clusters.deleteCluster(await service(role), uuid).catch(whereGone)
      }
      for (const { role, uuid } of left) await gone(uuid, role)
      for (const { role, uuid } of made.filter(thing => thing.kind === 'template')) {
        await templates.deleteTemplate(await service(role), uuid).catch(whereGone)
      }
    },
  }
}

function whereGone(error: unknown): undefined {
  if (error instanceof CoeError && error.outcome === 'notFound') return undefined
  throw error
}
