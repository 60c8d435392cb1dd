// Templates: a ConfigMap each, with the request as it was given.
import { configMap, kindLabel, refOf, templateRecord } from './objects.js'
import { template, templateRequest } from './read.js'

/**
 * @param {import('./coe.js').ClusterSite} site
 * @returns {import('./coe.js').OpenTemplates}
 */
export const templates = site => {
  /** @type {(identity: import('./coe.js').ClusterIdentity, verb: string, again: string, step: import('./coe.js').Step) => import('./coe.js').Plan} */
  const planOf = (identity, verb, again, step) => ({
    title: `${verb} cluster template "${identity.name}"`,
    owner: site.owner('cluster template', identity),
    again,
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
    create: async (identity, request, { again }) =>
      planOf(identity, 'create', again, {
        id: 'template',
        title: 'the template',
        want: () => [templateRecord(site, identity.name, data(identity.name, request))],
      }),
    async update(identity, change, { again }) {
      const before = JSON.parse((await template(site, identity.uuid))?.data?.request ?? '{}')
      const labels = { ...before.labels, ...change.labels.set }
      for (const key of change.labels.unset) delete labels[key]
      return planOf(identity, 'update', again, {
        id: 'template',
        title: 'the template',
        want: () => [templateRecord(site, identity.name, data(identity.name, { ...before, ...change.set, labels }))],
      })
    },
    remove: async (identity, { again }) =>
      planOf(identity, 'delete', again, {
        id: 'template',
        title: 'the template',
        gone: () => [refOf(templateRecord(site, identity.name, {}))],
      }),
  }
}
