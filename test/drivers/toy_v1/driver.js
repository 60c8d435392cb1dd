// A driver of clusters with a whole life, for tests. A "cluster" is a record, a Service, a Secret and a Deployment for each group.
import { nodegroups } from './nodegroups.js'
import { observe, observeAll } from './observe.js'
import { changePlan, createPlan, removePlan, resizePlan, rotatePlan, upgradePlan } from './plans.js'
import { read, template, templateRequest } from './read.js'
import { templates } from './templates.js'
import { facts } from './version.js'

/** @type {import('./coe.js').MakeDriver} */
export default function make(coe) {
  return {
    ...facts,
    clusters: {
      prefix: 'toy',
      configured: false,
      list: async () => [],
      find: async () => undefined,
      open: site => open(coe, site),
    },
  }
}

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {import('./coe.js').ClusterSite} site
 * @returns {import('./coe.js').OpenClusters}
 */
const open = (coe, site) => ({
  list: () => observeAll(site),
  observe: ref => observe(site, ref),
  async preflight(_, request) {
    if (await template(site, request.template)) return []
    const message = `there is no cluster template "${request.template}"`
    return [{ id: 'template', level: 'error', outcome: 'notFound', message }]
  },
  async create(cluster, request) {
    const found = await template(site, request.template)
    return createPlan(coe, site, cluster, { request, version: templateRequest(found).version })
  },
  async update(cluster, change) {
    if (change.patch.length || change.set.nodeCount !== undefined || change.unset.length) {
      throw coe.errors.usage('a toy cluster changes its labels and its control plane, nothing else')
    }
    return changePlan(site, cluster, await read(coe, site, cluster), change)
  },
  async resize(cluster, size) {
    return resizePlan(coe, site, cluster, await read(coe, site, cluster), size)
  },
  async upgrade(cluster, target) {
    const found = await template(site, target.template)
    if (!found) throw coe.errors.notFound(`there is no cluster template "${target.template}"`)
    const { version } = templateRequest(found)
    return upgradePlan(site, cluster, await read(coe, site, cluster), { template: target.template, version })
  },
  remove: async cluster => removePlan(site, cluster),
  async access(cluster) {
    const { address, token } = await read(coe, site, cluster)
    if (!address || !token) throw coe.errors.notFound(`cluster "${cluster.name}" has no API yet`)
    coe.addSecret(token)
    return { name: cluster.name, server: `https://${address}:6443`, token }
  },
  templates: templates(site),
  nodegroups: nodegroups(coe, site),
  credentials: { rotate: async cluster => rotatePlan(site, cluster) },
  certificates: {
    async show(cluster) {
      const { certificate } = await read(coe, site, cluster)
      return { cluster_uuid: cluster.uuid, pem: certificate }
    },
  },
})
