/** Clusters that Magnum keeps. */

import { resultOf, startAll } from '../../core/concurrency.ts'
import { conflict, fallbackOn, hasOutcome } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import { type MarksCheck, refuseMarked } from '../../kube/ownership/delete-guard.ts'
import type { ClusterDeletion, Clusters, CreateOutcome } from '../../model/backend.ts'
import { type Call, perCall } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed } from '../../model/status.ts'
import * as api from '../../openstack/magnum-api/clusters.ts'
import { createOnce } from '../create-once.ts'
import { federationGuard } from '../federations/federation-guard.ts'
import { ownName, refuseStandaloneQuery } from '../foreign-reference.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { projectId } from '../project-id.ts'
import { resolving } from '../resolve.ts'
import { clusterAccess } from './cluster-access.ts'
import { clusterChanges, sending } from './cluster-changes.ts'
import { encodeCluster } from './encode.ts'
import { clustersNamed, findNewCluster } from './find-clusters.ts'
import { guarded, marksOf } from './marks-guard.ts'
import { refuseDuplicate } from './refuse-duplicate.ts'
import { watchCluster } from './watch-cluster.ts'

/** Clusters that are looked at side by side before they are deleted. */
const atOnce = 8

interface DeletionCheck extends MarksCheck {
  cluster: Cluster
  /** Why Magnum's own federations are not known. */
  unlisted?: string | undefined
  /** A federation that Magnum keeps needs it. Told once, by whichever of its names comes first. */
  refusal?: unknown
}

const noted =
  ({ report }: Call) =>
  async (_: Cluster, why: readonly string[]) => {
    for (const line of why) report.note(line)
  }

/** What --force goes by. */
const unasked = (cluster: Cluster): DeletionCheck => ({ cluster })

/** Of one call: --watch lists again and again, and one line may name many clusters to delete. */
interface Memory {
  /** Of projects, by what they were called. */
  ids: Map<string, string>
  guard: ReturnType<typeof federationGuard>
  looks: Map<string, Promise<DeletionCheck>>
  /** By uuid: a cluster may be named twice, by its name and its uuid, and is looked at and deleted once. */
  marks: Map<string, Promise<MarksCheck>>
  deletions: Map<string, { cluster: Cluster; done: Promise<void> }>
}

const newMemory = (context: MagnumContext): Memory => ({
  ids: new Map(),
  guard: federationGuard(context),
  looks: new Map(),
  marks: new Map(),
  deletions: new Map(),
})

export function magnumClusters(context: MagnumContext): Clusters {
  const magnum = (call: Call) => context.session.magnum(call.signal)
  const memory = perCall(() => newMemory(context))
  const list: Clusters['list'] = async (call, query) => {
    refuseStandaloneQuery(undefined, 'cluster list', query)
    const { project: asked, ...page } = query
    if (asked === undefined) return api.listClusters(await magnum(call), page, page.detail === true)
    const { ids } = memory(call)
    if (ids.get(asked) === undefined) ids.set(asked, await projectId(context, call, asked))
    const all = await api.listClusters(await magnum(call), page, true)
    return all.filter(c => c.project_id === ids.get(asked))
  }

  /** A reference of a cluster in an error comes with what there is. */
  const find = <T>(call: Call, ref: string, request: () => Promise<T>): Promise<T> =>
    resolving({ kind: 'cluster', ref, where: context.where, candidates: () => list(call, {}) }, request)
  const get = async (call: Call, ref: string) => {
    const name = ownName(ref)
    return find(call, name, async () => api.getCluster(await magnum(call), name))
  }

  const access = clusterAccess(context, get)
  const look = async (call: Call, ref: string): Promise<DeletionCheck> => {
    const { guard, marks: seen } = memory(call)
    const federations = guard.look(call)
    const cluster = await get(call, ref)
    const allowed = await resultOf(federations.then(found => guard.refuse(cluster, found.federations)))
    if (!allowed.ok) return { cluster, refusal: allowed.error }
    const marks = seen.get(cluster.uuid) ?? marksOf(context, cluster, call)
    seen.set(cluster.uuid, marks)
    return { cluster, unlisted: (await federations).unlisted, ...(await marks) }
  }
  const deletable = async (call: Call, ref: string): Promise<DeletionCheck> => {
    const { looks } = memory(call)
    const looked = await (looks.get(ref) ?? look(call, ref))
    looks.delete(ref)
    return looked
  }
  const deleteOne = async (
    look: DeletionCheck,
    unsure: ClusterDeletion['unsure'],
    op: ScopedOperation,
  ): Promise<void> => {
    const { cluster, refusal, marks, unlisted, unchecked } = look
    if (refusal) throw refusal
    refuseMarked(guarded(cluster), marks)
    const unknown = [unlisted, unchecked].filter(why => why !== undefined)
    if (unknown.length > 0) await (unsure ?? noted(op))(cluster, unknown)
    const { uuid, name } = cluster
    await find(op, uuid, async () => api.deleteCluster(await magnum(op), uuid))
    op.accepted?.(uuid)
    if (op.wait) await watchCluster(context, { uuid, name, goal: { kind: 'gone' }, before: cluster }, op)
  }

  return {
    list,
    async get(call, ref, how) {
      refuseStandaloneQuery(ref, 'cluster show', how)
      return get(call, ref)
    },
    ...clusterChanges(context, get),
    async access(call, ref, request) {
      refuseStandaloneQuery(ref, 'cluster config')
      return access(call, ref, request)
    },

    async create(call, request, { duplicate }, op) {
      const { name, template } = request
      const created = await createOnce<Cluster>({
        what: `cluster "${name}"`,
        where: context.where,
        duplicate,
        existing: () => clustersNamed(context, call, name),
        post: () =>
          sending(context, call, template, async () => api.createCluster(await magnum(call), encodeCluster(request))),
        // the API answers before its conductor has made anything
        appears: { withinMs: 15_000, clock: context.clock, signal: call.signal },
        note: call.report.note,
      })
      if (created.created) op.accepted?.(created.object.uuid)
      else mustBeOfUse(created)
      if (created.created && duplicate !== 'allow') {
        await refuseDuplicate({
          what: `cluster "${name}"`,
          uuid: created.object.uuid,
          named: () => clustersNamed(context, call, name),
          remove: uuid => nextStep('delete the later one', 'cluster delete', uuid),
          note: call.report.note,
          appears: { clock: context.clock, signal: call.signal },
        })
      }
      if (!op.wait) return created
      const { uuid } = created.object
      const watch = { uuid, name, goal: { kind: 'complete' } as const, coming: created.created }
      return { ...created, object: (await watchCluster(context, watch, { ...call, ...op })) as Cluster }
    },

    willDelete(call, refs) {
      const { looks } = memory(call)
      for (const [i, begun] of startAll(refs, atOnce, ref => look(call, ref)).entries()) {
        begun.catch(() => {}) // told when its turn comes
        looks.set(refs[i] as string, begun)
      }
    },

    async delete(call, ref, { force = false, unsure }, op) {
      const { deletions } = memory(call)
      const named = () => (force ? get(call, ref).then(unasked) : deletable(call, ref))
      const looked = await named().catch((error: unknown) => {
        // by its other name, which is gone by now
        const same = [...deletions.values()].find(({ cluster }) => [cluster.uuid, cluster.name].includes(ownName(ref)))
        if (same && hasOutcome(error, 'notFound')) return unasked(same.cluster)
        throw error
      })
      const { cluster } = looked
      const begun = deletions.get(cluster.uuid)
      const done = begun ? begun.done.catch(() => {}) : deleteOne(looked, unsure, { ...call, ...op })
      if (!begun) deletions.set(cluster.uuid, { cluster, done })
      await done
      return cluster
    },

    async waitFor(call, ref, goal, op) {
      // what is not there, and is not coming, is told by the look of get: with what is near
      const coming =
        goal.kind === 'gone'
          ? undefined
          : await findNewCluster(context, ownName(ref), call.signal).catch(() => undefined)
      const found =
        coming ??
        (await (goal.kind === 'gone' ? get(call, ref).catch(fallbackOn('notFound', undefined)) : get(call, ref)))
      return found && watchCluster(context, { uuid: found.uuid, name: found.name, goal }, { ...call, ...op })
    },
  }
}

/** `--if-not-exists` finds one that failed, or is on its way out: nobody who wants a cluster is served by it. */
function mustBeOfUse({ object }: CreateOutcome<Cluster>): void {
  const { name, status, uuid } = object
  if (!hasFailed(status) && !/^DELETE_/.test(status ?? '')) return
  throw conflict(`cluster "${name}" exists already (${uuid}), but it is ${status}`, {
    next: [
      hasFailed(status)
        ? nextStep('delete it first', 'cluster delete', name ?? uuid, { option: 'wait' })
        : nextStep('wait until it is gone', 'cluster wait', name ?? uuid, ...optionArgs('for', 'gone')),
    ],
    details: { existing: [uuid], cluster_status: status },
  })
}
