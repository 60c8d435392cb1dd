/** The tools of a step in a dry run: they read, and refuse to write. */
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { Clusters } from './clusters.ts'
import type { Tools } from './step.ts'

/** Thrown when a step tries to write in a dry run. */
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

/** Allows requests that the server treats as a dry run, since they write nothing. */
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
