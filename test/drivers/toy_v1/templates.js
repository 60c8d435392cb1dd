// Templates: a ConfigMap each, with the request as it was given.
import { configMap, kindLabel, refOf, templateRecord } from './objects.js'
import { template, templateRequest } from './read.js'

/**
 * @param {import('./coe.js').ClusterSite} site
 * @returns {import('./coe.js').OpenTemplates}
 */
export const templates = site => {
  /** @type {(identity: import('./coe.js').ClusterIdentity, verb: string, step: import('./coe.js').Step) => import('./coe.js').Plan} */
  const planOf = (identity, verb, step) => ({
    title: `${verb} cluster template "${identity.name}"`,
    owner: site.owner('cluster template', identity),
    clusters: { management: { title: site.title, connect: async () => site.api } },
    steps: [step],
  })
  const data = (/** @type {string} */ name, /** @type {object} */ request) => ({
    name,
    request: JSON.stringify(request),
  })
  return {
    async list() {
      const { api, namespace, signal, owner } = site
      const { items } = await api.list(configMap, { namespace, labels: `${kindLabel}=template`, signal })
      const { key } = owner('cluster template', { name: '', uuid: '' })
      return items.map(item => ({
        uuid: item.metadata.labels?.[key] ?? '',
        name: item.data?.name ?? '',
        coe: 'kubernetes',
        labels: templateRequest(item).labels ?? {},
      }))
    },
    create: async (identity, request) =>
      planOf(identity, 'create', {
        id: 'template',
        title: 'the template',
        want: () => [templateRecord(site, identity.name, data(identity.name, request))],
      }),
    async update(identity, change) {
      const before = JSON.parse((await template(site, identity.uuid))?.data?.request ?? '{}')
      const labels = { ...before.labels, ...change.labels.set }
      for (const key of change.labels.unset) delete labels[key]
      return planOf(identity, 'update', {
        id: 'template',
        title: 'the template',
        want: () => [templateRecord(site, identity.name, data(identity.name, { ...before, ...change.set, labels }))],
      })
    },
    remove: async identity =>
      planOf(identity, 'delete', {
        id: 'template',
        title: 'the template',
        unwanted: () => [refOf(templateRecord(site, identity.name, {}))],
      }),
  }
}
