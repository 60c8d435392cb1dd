// What a cluster consists of. Labels that say whose it is come from the engine.
import { randomUUID } from 'node:crypto'

/**
 * @typedef {import('./coe.js').ClusterSite} Site
 * @typedef {import('./coe.js').KubeObject} KubeObject
 * @typedef {{ name: string, role: string, count: number, version: string, limits?: { min?: number, max?: number } }} Group
 */

export const clusterLabel = 'toy/cluster'
export const groupLabel = 'toy/group'
export const kindLabel = 'toy/kind'
export const groupNames = { controlPlane: 'default-master', workers: 'default-worker' }

export const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }
export const secret = { apiVersion: 'v1', kind: 'Secret' }
export const service = { apiVersion: 'v1', kind: 'Service' }
export const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' }

/** @param {string} cluster */
const nameOf = cluster => `toy-${cluster}`

/**
 * What is known of the cluster besides its Deployments.
 * @param {Site} site
 * @param {string} cluster
 * @param {Record<string, string>} data
 * @returns {KubeObject}
 */
export const record = ({ namespace }, cluster, data) => ({
  ...configMap,
  metadata: { name: nameOf(cluster), namespace, labels: { [kindLabel]: 'cluster', [clusterLabel]: cluster } },
  data,
})

/**
 * @param {Site} site
 * @param {string} name
 * @param {Record<string, string>} data
 * @returns {KubeObject}
 */
export const templateRecord = ({ namespace }, name, data) => ({
  ...configMap,
  metadata: { name: `toy-template-${name}`, namespace, labels: { [kindLabel]: 'template' } },
  data,
})

/**
 * @param {Site} site
 * @param {string} cluster
 * @returns {KubeObject}
 */
export const keys = ({ namespace }, cluster) => ({
  ...secret,
  metadata: { name: nameOf(cluster), namespace, labels: { [clusterLabel]: cluster } },
  stringData: { token: `toy-token-${randomUUID()}`, 'ca.crt': `-----BEGIN CERTIFICATE-----\n${cluster}\n` },
})

/**
 * @param {Site} site
 * @param {string} cluster
 * @returns {KubeObject}
 */
export const entrance = ({ namespace }, cluster) => ({
  ...service,
  metadata: { name: nameOf(cluster), namespace, labels: { [clusterLabel]: cluster } },
  spec: { selector: { [clusterLabel]: cluster, [groupLabel]: groupNames.controlPlane }, ports: [{ port: 6443 }] },
})

/**
 * @param {Site} site
 * @param {string} cluster
 * @param {Group} group
 * @param {unknown} [address] of the control plane; in a dry run it may be unknown
 * @returns {KubeObject}
 */
export function nodes({ namespace }, cluster, { name, role, count, version, limits = {} }, address) {
  const labels = { [clusterLabel]: cluster, [groupLabel]: name }
  const env = address === undefined ? [] : [{ name: 'API', value: `https://${address}:6443` }]
  const annotations = Object.fromEntries(Object.entries(limits).map(([key, value]) => [`toy/${key}`, String(value)]))
  return {
    ...deployment,
    metadata: { name: `${nameOf(cluster)}-${name}`, namespace, labels: { ...labels, 'toy/role': role }, annotations },
    spec: {
      replicas: count,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'node', image: `toy/node:${version}`, env }] } },
    },
  }
}

/**
 * @param {KubeObject} object
 * @returns {import('./coe.js').ObjectRef}
 */
export const refOf = ({ apiVersion, kind, metadata }) => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  namespace: metadata.namespace,
})
