// What stands, read anew at each question: nothing is stored but what the objects themselves say.
import { clusterLabel, configMap, deployment, entrance, groupLabel, keys, kindLabel, refOf } from './objects.js'

/**
 * @typedef {import('./coe.js').ClusterSite} Site
 * @typedef {import('./coe.js').KubeObject} KubeObject
 */

/** @param {KubeObject | undefined} found */
export const templateRequest = found => {
  const fields = JSON.parse(found?.data?.request ?? '{}')
  return { ...fields, version: fields.labels?.kube_tag ?? 'v1.34.0' }
}

/**
 * @param {Site} site
 * @param {string} ref
 */
export async function template({ api, namespace, signal, owner }, ref) {
  const { items } = await api.list(configMap, { namespace, labels: `${kindLabel}=template`, signal })
  const { key } = owner('cluster template', { name: '', uuid: '' })
  return items.find(item => item.data?.name === ref || item.metadata.labels?.[key] === ref)
}

/** @param {Site} site */
export const records = async ({ api, namespace, signal }) =>
  (await api.list(configMap, { namespace, labels: `${kindLabel}=cluster`, signal })).items

/**
 * @param {Site} site
 * @param {string} cluster
 */
export const groupsOf = async ({ api, namespace, signal }, cluster) =>
  (await api.list(deployment, { namespace, labels: `${clusterLabel}=${cluster}`, signal })).items

/** @param {KubeObject} live */
export const groupOf = ({ metadata, spec }) => ({
  name: metadata.labels?.[groupLabel] ?? '',
  role: metadata.labels?.['toy/role'] ?? 'worker',
  count: Number(spec.replicas),
  version: String(spec.template.spec.containers[0].image).replace(/^.*:/, ''),
  limits: Object.fromEntries(
    ['min', 'max'].flatMap(key => {
      const value = metadata.annotations?.[`toy/${key}`]
      return value === undefined ? [] : [[key, Number(value)]]
    }),
  ),
})

/**
 * @param {Site} site
 * @param {string} cluster
 */
export async function secretsOf(site, cluster) {
  const found = await site.api.get(refOf(keys(site, cluster)), { signal: site.signal })
  const text = (/** @type {string} */ key) => Buffer.from(found?.data?.[key] ?? '', 'base64').toString()
  return { token: text('token'), certificate: text('ca.crt') }
}

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {Site} site
 * @param {import('./coe.js').ClusterIdentity} cluster
 */
export async function read(coe, site, { name, uuid }) {
  const { key } = site.owner('cluster', { name, uuid })
  const record = (await records(site)).find(item => item.metadata.labels?.[key] === uuid)
  if (!record) throw coe.errors.notFound(`there is no cluster "${name}"`)
  const groups = await groupsOf(site, name)
  const way = await site.api.get(refOf(entrance(site, name)), { signal: site.signal })
  return {
    data: record.data ?? {},
    groups: groups.map(groupOf),
    address: way?.spec?.clusterIP,
    ...(await secretsOf(site, name)),
  }
}
