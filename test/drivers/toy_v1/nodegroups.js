// Groups of workers: a Deployment each.

import * as objects from './objects.js'
import { converged } from './observe.js'
import { planOf } from './plans.js'
import { groupOf, groupsOf, read } from './read.js'

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {import('./coe.js').ClusterSite} site
 * @returns {import('./coe.js').OpenNodeGroups}
 */
export const nodegroups = (coe, site) => ({
  async list(cluster) {
    return (await groupsOf(site, cluster.name)).map(live => {
      const { name, role, count, limits } = groupOf(live)
      return {
        uuid: live.metadata.uid ?? name,
        name,
        role,
        node_count: count,
        min_node_count: limits.min ?? 0,
        max_node_count: limits.max ?? null,
        is_default: Object.values(objects.groupNames).includes(name),
        status: converged(live) ? 'CREATE_COMPLETE' : 'UPDATE_IN_PROGRESS',
      }
    })
  },
  async create(cluster, request) {
    const { address, groups } = await read(coe, site, cluster)
    const version = groups[0]?.version ?? ''
    const limits = { ...given('min', request.minNodes), ...given('max', request.maxNodes) }
    const group = { name: request.name, role: request.role ?? 'worker', count: request.nodeCount ?? 1, version, limits }
    return planOf(site, cluster, `create node group "${request.name}" of`, [
      { id: 'nodes', title: 'its nodes', want: () => [objects.nodes(site, cluster.name, group, address)] },
    ])
  },
  async update(cluster, name, { set }) {
    const { address, groups } = await read(coe, site, cluster)
    const group = groups.find(one => one.name === name)
    if (!group) throw coe.errors.notFound(`cluster "${cluster.name}" has no node group "${name}"`)
    const limits = { ...group.limits, ...given('min', set.minNodes), ...given('max', set.maxNodes) }
    return planOf(site, cluster, `update node group "${name}" of`, [
      {
        id: 'limits',
        title: 'its limits',
        want: () => [objects.nodes(site, cluster.name, { ...group, limits }, address)],
      },
    ])
  },
  async remove(cluster, name) {
    if (Object.values(objects.groupNames).includes(name)) {
      throw coe.errors.conflict(`"${name}" is a default node group, which goes with its cluster`)
    }
    const gone = async () => (await groupsOf(site, cluster.name)).filter(one => groupOf(one).name === name)
    return planOf(site, cluster, `delete node group "${name}" of`, [
      { id: 'nodes', title: 'its nodes', unwanted: async () => (await gone()).map(objects.refOf) },
    ])
  },
})

/**
 * @param {string} key
 * @param {number | undefined} value
 */
const given = (key, value) => (value === undefined ? {} : { [key]: value })
