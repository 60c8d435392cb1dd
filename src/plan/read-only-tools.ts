/** What a step may use in a dry run: it looks, and whatever would write is refused. */
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { Clusters } from './clusters.ts'
import type { Tools } from './step.ts'

/** A step that was only to look wanted to write. */
export class WriteRefused extends Error {
  override message = 'a dry run writes nothing'
}

const refuse = () => Promise.reject(new WriteRefused())

export function readOnlyTools(clusters: Clusters, api: ClusterApi, signal: AbortSignal): Tools {
  return {
    api: readOnly(api),
    read: ref => api.get(ref, { signal }),
    cluster: async other => readOnly((await clusters.get(other)).api),
    signal,
    limitMs: 0,
    tell() {},
    changedNothing() {},
    apply: refuse,
    remove: refuse,
  }
}

/** What is sent as a dry run is no write either. */
const readOnly = (api: ClusterApi): ClusterApi => ({
  ...api,
  create: (object, write) => (write?.dryRun ? api.create(object, write) : refuse()),
  apply: (object, options) => (options?.dryRun ? api.apply(object, options) : refuse()),
  update: (object, options) => (options?.dryRun ? api.update(object, options) : refuse()),
  patch: (ref, patch, options) => (options.dryRun ? api.patch(ref, patch, options) : refuse()),
  delete: (ref, options) => (options?.dryRun ? api.delete(ref, options) : refuse()),
  deleteAll: (kind, selection) => (selection.dryRun ? api.deleteAll(kind, selection) : refuse()),
  raw: request => (request.method === 'GET' || request.method === 'HEAD' ? api.raw(request) : refuse()),
})
