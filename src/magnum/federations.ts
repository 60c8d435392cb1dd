/** Federations over Magnum's REST API: which accepts everything, and on most clouds does nothing. So each change is looked at. */
import { CoeError } from '../core/errors.ts'
import type { Federations } from '../model/backend.ts'
import type { Federation } from '../model/federation.ts'
import { getCluster, listClusters } from '../openstack/magnum-api/clusters.ts'
import * as api from '../openstack/magnum-api/federations.ts'
import { jsonPatch } from '../openstack/magnum-api/json-patch.ts'
import type { Service } from '../openstack/service.ts'
import { createOnce } from './create-once.ts'
import { changeMembers } from './federation-members.ts'
import { refuseForeignReference } from './foreign-reference.ts'
import type { MagnumContext } from './magnum-context.ts'
import { resolving } from './resolve.ts'
import { isStored, watchFederation } from './watch-federation.ts'

export function magnumFederations(context: MagnumContext): Federations {
  const magnum = () => context.session.magnum()
  const list: Federations['list'] = async query => {
    const [found, project] = await Promise.all([
      magnum().then(service => api.listFederations(service, query, query.detail === true)),
      projectOf(context),
    ])
    return found.map(f => complete(f, project))
  }
  const find = <T>(ref: string, request: (service: Service) => Promise<T>): Promise<T> =>
    resolving(
      { kind: 'federation', ref, where: context.where, candidates: async () => named(await list({})) },
      async () => request(await magnum()),
    )
  const get = async (ref: string): Promise<Federation> => {
    const [found, project] = await Promise.all([
      find(ref, service => api.getFederation(service, ref)),
      projectOf(context),
    ])
    return complete(found, project)
  }

  return {
    list,
    get,
    async create({ name, host, properties }, op) {
      refuseForeignReference(host, `federation create ${name} --host ${host}`)
      const hostCluster = await clusterNamed(context, host)
      const created = await createOnce<Federation>({
        what: `federation "${name}"`,
        where: context.where,
        name,
        duplicate: 'reuse',
        existing: async () => (await list({})).filter(f => f.name === name),
        // by uuid: the server stores what it is given, and never turns a name into one
        post: async () => api.createFederation(await magnum(), { name, hostcluster_id: hostCluster.uuid, properties }),
      })
      if (!created.created) return sameOrConflict(created.object as Federation, hostCluster.uuid, properties)
      const stored = await isStored(context, created.object.uuid, { name, host: hostCluster.name ?? host }, op)
      if (!op.wait) return { object: complete(stored, await projectOf(context)), created: true }
      const object = await watchFederation(context, stored, 'complete', op)
      return { object: complete(object as Federation, await projectOf(context)), created: true }
    },
    async update(ref, change, op) {
      const before = await get(ref)
      const edits = [
        ...Object.entries(change.set)
          .filter(([key, value]) => before.properties[key] !== value)
          .map(([key, value]) => ({ op: 'add' as const, path: `properties/${key}`, value })),
        ...change.unset
          .filter(key => key in before.properties)
          .map(key => ({ op: 'remove' as const, path: `properties/${key}` })),
      ]
      if (edits.length === 0) return { federation: before, changed: false }
      await find(ref, service => api.patchFederation(service, before.uuid, jsonPatch(edits), change.rollback === true))
      if (!op.wait) return { federation: before, changed: true }
      const wanted = (f: Federation) =>
        Object.entries(change.set).every(([k, v]) => f.properties?.[k] === v) &&
        change.unset.every(k => !(k in (f.properties ?? {})))
      const after = await watchFederation(context, before, wanted, op)
      return { federation: complete(after as Federation, before.project_id), changed: true }
    },
    async delete(ref, op) {
      const before = await get(ref)
      await find(ref, service => api.deleteFederation(service, before.uuid))
      await watchFederation(context, before, 'gone', op)
    },
    join: async (ref, clusters, op) => changeMembers(context, 'join', await get(ref), clusters, op),
    unjoin: async (ref, clusters, op) => changeMembers(context, 'unjoin', await get(ref), clusters, op),
  }
}

/** Running create again with the same settings is no change; with others it is a conflict, not an update. */
function sameOrConflict(existing: Federation, host: string, properties: Record<string, string>) {
  const differs = Object.entries(properties).filter(([k, v]) => existing.properties?.[k] !== v)
  if (existing.hostcluster_id !== host) {
    throw new CoeError(
      'conflict',
      `federation "${existing.name}" exists already, on another host (${existing.hostcluster_id})`,
    )
  }
  if (differs.length) {
    throw new CoeError(
      'conflict',
      `federation "${existing.name}" exists already with other properties (${differs.map(([k]) => k).join(', ')})`,
      {
        hint: `change them with: coe federation update ${differs.map(([k, v]) => `--property ${k}=${v}`).join(' ')} ${existing.name}`,
      },
    )
  }
  return { object: existing, created: false }
}

export async function clusterNamed(context: MagnumContext, ref: string) {
  const service = await context.session.magnum()
  return resolving(
    { kind: 'cluster', ref, where: context.where, candidates: () => listClusters(service, {}, false) },
    () => getCluster(service, ref),
  )
}

const named = (federations: readonly Federation[]) =>
  federations.map(f => ({ uuid: f.uuid, name: f.name ?? '', status: f.status }))

/** The API does not tell the project; a federation is only ever seen from its own. */
async function projectOf(context: MagnumContext): Promise<string | null> {
  return (await context.session.identity()).project?.id ?? null
}

/** Short answers leave fields out, and old rows have nulls where lists belong. */
export function complete(federation: Federation, project: string | null): Federation {
  return {
    ...federation,
    project_id: project,
    member_ids: federation.member_ids ?? [],
    properties: federation.properties ?? {},
    status_reason: federation.status_reason ?? null,
    created_at: federation.created_at ?? null,
    updated_at: federation.updated_at ?? null,
  }
}
