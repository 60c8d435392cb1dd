/** Clusters in Magnum. */

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
import { clusterChanges, resolvingTemplate } from './cluster-changes.ts'
import { encodeCluster } from './encode.ts'
import { clustersNamed, findNewCluster } from './find-clusters.ts'
import { guarded, marksOf } from './marks-guard.ts'
import { refuseDuplicate } from './refuse-duplicate.ts'
import { watchCluster } from './watch-cluster.ts'

/** How many clusters are checked in parallel before they are deleted. */
const atOnce = 8

interface DeletionCheck extends MarksCheck {
  cluster: Cluster
  /** Why coe could not list Magnum's own federations. */
  unlisted?: string | undefined
  /** The error, if a federation in Magnum needs the cluster. */
  refusal?: unknown
}

const noteReasons =
  ({ report }: Call) =>
  async (_: Cluster, why: readonly string[]) => {
    for (const line of why) report.note(line)
  }

/** With --force nothing is checked. */
const withoutCheck = (cluster: Cluster): DeletionCheck => ({ cluster })

/** The memory of one call: --watch lists repeatedly, and one command line may name many clusters to delete. */
interface Memory {
  /** Ids of projects, by the name or id on the command line. */
  ids: Map<string, string>
  guard: ReturnType<typeof federationGuard>
  checks: Map<string, Promise<DeletionCheck>>
  /** By uuid: a cluster named twice, by name and by uuid, is checked and deleted once. */
  marks: Map<string, Promise<MarksCheck>>
  deletions: Map<string, { cluster: Cluster; done: Promise<void> }>
}

const newMemory = (context: MagnumContext): Memory => ({
  ids: new Map(),
  guard: federationGuard(context),
  checks: new Map(),
  marks: new Map(),
  deletions: new Map(),
})

export function magnumClusters(context: MagnumContext): Clusters {
  const magnum = (call: Call) => context.session.magnum(call.signal)
  const memory = perCall(() => newMemory(context))
  const list: Clusters['list'] = async (call, query) => {
    refuseStandaloneQuery(undefined, 'cluster list', query)
    const { project, ...page } = query
    if (project === undefined) return api.listClusters(await magnum(call), page, page.detail === true)
    const { ids } = memory(call)
    if (ids.get(project) === undefined) ids.set(project, await projectId(context, call, project))
    const all = await api.listClusters(await magnum(call), page, true)
    return all.filter(c => c.project_id === ids.get(project))
  }

  /** Errors about the reference come with suggestions. */
  const find = <T>(call: Call, ref: string, request: () => Promise<T>): Promise<T> =>
    resolving({ kind: 'cluster', ref, where: context.where, candidates: () => list(call, {}) }, request)
  const get = async (call: Call, ref: string) => {
    const name = ownName(ref)
    return find(call, name, async () => api.getCluster(await magnum(call), name))
  }

  const access = clusterAccess(context, get)
  const checkDeletion = async (call: Call, ref: string): Promise<DeletionCheck> => {
    const { guard, marks: known } = memory(call)
    const federations = guard.list(call)
    const cluster = await get(call, ref)
    const allowed = await resultOf(federations.then(found => guard.refuse(cluster, found.federations)))
    if (!allowed.ok) return { cluster, refusal: allowed.error }
    const marks = known.get(cluster.uuid) ?? marksOf(context, cluster, call)
    known.set(cluster.uuid, marks)
    return { cluster, unlisted: (await federations).unlisted, ...(await marks) }
  }
  const deletable = async (call: Call, ref: string): Promise<DeletionCheck> => {
    const { checks } = memory(call)
    const check = await (checks.get(ref) ?? checkDeletion(call, ref))
    checks.delete(ref)
    return check
  }
  const deleteOne = async (
    check: DeletionCheck,
    unsure: ClusterDeletion['unsure'],
    op: ScopedOperation,
  ): Promise<void> => {
    const { cluster, refusal, marks, unlisted, unchecked } = check
    if (refusal) throw refusal
    refuseMarked(guarded(cluster), marks)
    const unknown = [unlisted, unchecked].filter(why => why !== undefined)
    if (unknown.length > 0) await (unsure ?? noteReasons(op))(cluster, unknown)
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
          resolvingTemplate(context, call, template, async () =>
            api.createCluster(await magnum(call), encodeCluster(request)),
          ),
        // the API answers before its conductor stores the cluster
        appears: { withinMs: 15_000, clock: context.clock, signal: call.signal },
        note: call.report.note,
      })
      if (created.created) op.accepted?.(created.object.uuid)
      else refuseUnusable(created)
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
      const watch = { uuid, name, goal: { kind: 'complete' } as const, justCreated: created.created }
      return { ...created, object: (await watchCluster(context, watch, { ...call, ...op })) as Cluster }
    },

    willDelete(call, refs) {
      const { checks } = memory(call)
      for (const [i, begun] of startAll(refs, atOnce, ref => checkDeletion(call, ref)).entries()) {
        begun.catch(() => {}) // reported by the deletion that it belongs to
        checks.set(refs[i] as string, begun)
      }
    },

    async delete(call, ref, { force = false, unsure }, op) {
      const { deletions } = memory(call)
      const named = () => (force ? get(call, ref).then(withoutCheck) : deletable(call, ref))
      const check = await named().catch((error: unknown) => {
        // the same cluster by its other name, deleted already
        const same = [...deletions.values()].find(({ cluster }) => [cluster.uuid, cluster.name].includes(ownName(ref)))
        if (same && hasOutcome(error, 'notFound')) return withoutCheck(same.cluster)
        throw error
      })
      const { cluster } = check
      const begun = deletions.get(cluster.uuid)
      const done = begun ? begun.done.catch(() => {}) : deleteOne(check, unsure, { ...call, ...op })
      if (!begun) deletions.set(cluster.uuid, { cluster, done })
      await done
      return cluster
    },

    async waitFor(call, ref, goal, op) {
      // for a cluster that does not appear, `get` throws an error with suggestions
      const recent =
        goal.kind === 'gone'
          ? undefined
          : await findNewCluster(context, ownName(ref), call.signal).catch(() => undefined)
      const found =
        recent ??
        (await (goal.kind === 'gone' ? get(call, ref).catch(fallbackOn('notFound', undefined)) : get(call, ref)))
      return found && watchCluster(context, { uuid: found.uuid, name: found.name, goal }, { ...call, ...op })
    },
  }
}

/** Refuses a cluster that `--if-not-exists` finds, if it failed or is being deleted. */
function refuseUnusable({ object }: CreateOutcome<Cluster>): void {
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
