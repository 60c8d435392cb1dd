// A cluster as Magnum would tell of it. Its status is derived at each look.
import { groupNames } from './objects.js'
import { groupOf, groupsOf, records } from './read.js'

/**
 * @typedef {import('./coe.js').ClusterSite} Site
 * @typedef {import('./coe.js').KubeObject} KubeObject
 */

/** @param {KubeObject} live */
export function converged({ metadata, spec, status = {} }) {
  const wanted = Number(spec.replicas)
  const looked = Number(status.observedGeneration ?? 0) >= Number(metadata.generation ?? 0)
  return looked && Number(status.updatedReplicas ?? 0) >= wanted && Number(status.availableReplicas ?? 0) >= wanted
}

/**
 * @param {Site} site
 * @returns {Promise<import('./coe.js').Cluster[]>}
 */
export const observeAll = async site => Promise.all((await records(site)).map(record => clusterOf(site, record)))

/**
 * @param {Site} site
 * @param {string} ref
 */
export async function observe(site, ref) {
  const all = await records(site)
  const { key } = site.owner('cluster', { name: '', uuid: '' })
  const found = all.find(item => item.data?.name === ref || item.metadata.labels?.[key] === ref)
  return found && clusterOf(site, found)
}

/**
 * @param {Site} site
 * @param {KubeObject} record
 * @returns {Promise<import('./coe.js').Cluster>}
 */
async function clusterOf(site, { metadata, data = {} }) {
  const live = await groupsOf(site, data.name ?? '')
  const { key } = site.owner('cluster', { name: '', uuid: '' })
  const groups = live.map(groupOf)
  const count = (/** @type {(group: { name: string, role: string }) => boolean} */ which) =>
    groups.filter(which).reduce((sum, group) => sum + group.count, 0)
  const behind = live.filter(group => !converged(group)).map(group => groupOf(group).name)
  return {
    uuid: metadata.labels?.[key] ?? '',
    name: data.name ?? '',
    status: statusOf(data, behind.length === 0),
    status_reason: behind.length ? `not ready: ${behind.join(', ')}` : null,
    cluster_template_id: data.template ?? null,
    keypair: data.keypair ?? null,
    labels: JSON.parse(data.labels ?? '{}'),
    master_count: count(group => group.name === groupNames.controlPlane),
    node_count: count(group => group.name !== groupNames.controlPlane),
    api_address: data.address ? `https://${data.address}:6443` : null,
    coe_version: groups.find(group => group.name === groupNames.controlPlane)?.version ?? null,
    created_at: metadata.creationTimestamp ?? null,
  }
}

/**
 * @param {Record<string, string>} data
 * @param {boolean} complete
 */
function statusOf({ state, changed }, complete) {
  if (state === 'going') return 'DELETE_IN_PROGRESS'
  if (state !== 'made') return 'CREATE_IN_PROGRESS'
  if (!complete) return 'UPDATE_IN_PROGRESS'
  return changed ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE'
}
