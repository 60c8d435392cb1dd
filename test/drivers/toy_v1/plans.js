// What each action does, as data. Each may be killed between any two requests and run again.
import * as objects from './objects.js'
import { groupOf, groupsOf, records } from './read.js'

/**
 * @typedef {import('./coe.js').ClusterSite} Site
 * @typedef {import('./coe.js').ClusterIdentity} Identity
 * @typedef {import('./coe.js').Plan} Plan
 * @typedef {import('./coe.js').Step} Step
 * @typedef {Awaited<ReturnType<typeof import('./read.js').read>>} Standing
 */

const { controlPlane, workers } = objects.groupNames

/**
 * @param {Site} site
 * @param {Identity} cluster
 * @param {string} verb
 * @param {Step[]} steps
 * @returns {Plan}
 */
export const planOf = (site, cluster, verb, steps) => ({
  title: `${verb} cluster "${cluster.name}"`,
  owner: site.owner('cluster', cluster),
  clusters: { management: { title: site.title, connect: async () => site.api } },
  steps,
})

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {Site} site
 * @param {Identity} cluster
 * @param {{ request: import('./coe.js').ClusterRequest, version: string }} wanted
 */
export async function createPlan(coe, site, cluster, { request, version }) {
  const { name } = cluster
  const { key } = site.owner('cluster', cluster)
  const before = (await records(site)).find(item => item.metadata.labels?.[key] === cluster.uuid)
  // what stands is gone on with, and not set back
  const standing = before?.data?.state === 'made' ? (await groupsOf(site, name)).map(groupOf) : []
  const group = (/** @type {string} */ of, /** @type {string} */ role, /** @type {number} */ count) =>
    standing.find(one => one.name === of) ?? { name: of, role, count, version }
  const data = {
    name,
    template: request.template,
    keypair: request.keypair ?? '',
    labels: JSON.stringify(request.labels ?? {}),
    ...before?.data,
  }
  return planOf(site, cluster, 'create', [
    {
      id: 'record',
      title: 'what the cluster is found by',
      want: () => [objects.record(site, name, { ...data, state: before?.data?.state ?? 'begun' })],
    },
    keysStep(coe, site, name),
    {
      id: 'control-plane',
      title: 'its control plane',
      needs: ['keys'],
      gives: ['address'],
      want: () => [
        objects.entrance(site, name),
        objects.nodes(site, name, group(controlPlane, 'master', request.controlPlaneCount ?? 1)),
      ],
      async ready(_, { api, signal }) {
        const address = (await api.get(objects.refOf(objects.entrance(site, name)), { signal }))?.spec?.clusterIP
        return address ? { address } : undefined
      },
    },
    {
      id: 'workers',
      title: 'its workers',
      needs: ['control-plane'],
      want: ({ address }) => [objects.nodes(site, name, group(workers, 'worker', request.nodeCount ?? 1), address)],
    },
    {
      id: 'made',
      title: 'that it is complete',
      needs: ['workers'],
      want: ({ address }) => [objects.record(site, name, { ...data, state: 'made', address: `${address}` })],
    },
  ])
}

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {Site} site
 * @param {string} name
 * @returns {Step}
 */
const keysStep = (coe, site, name) => ({
  id: 'keys',
  title: 'keys to it',
  needs: ['record'],
  gives: ['token'],
  secrets: ['token'],
  // those that are there stay: new ones would lock out who has them
  async alreadyDone(_, { read }) {
    const token = (await read(objects.refOf(objects.keys(site, name))))?.data?.token
    if (token) coe.addSecret(Buffer.from(token, 'base64').toString())
    return token ? { token } : undefined
  },
  want: () => [objects.keys(site, name)],
})

/**
 * @param {Site} site
 * @param {Identity} cluster
 * @param {Standing} standing
 * @param {import('./coe.js').ClusterChange} change
 */
export function changePlan(site, cluster, { data, groups }, change) {
  const labels = { ...JSON.parse(data.labels ?? '{}'), ...change.labels.set }
  for (const key of change.labels.unset) delete labels[key]
  const control = groups.find(group => group.name === controlPlane)
  const count = change.set.controlPlaneCount
  const next = { ...data, labels: JSON.stringify(labels), changed: 'true' }
  /** @type {Step[]} */
  const grown =
    count === undefined || !control
      ? []
      : [
          {
            id: 'control-plane',
            title: 'its control plane',
            want: () => [objects.nodes(site, cluster.name, { ...control, count })],
          },
        ]
  return planOf(site, cluster, 'update', [
    ...grown,
    {
      id: 'record',
      title: 'its labels',
      needs: grown.map(step => step.id),
      want: () => [objects.record(site, cluster.name, next)],
    },
  ])
}

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {Site} site
 * @param {Identity} cluster
 * @param {Standing} standing
 * @param {import('./coe.js').ClusterResize} size
 */
export function resizePlan(coe, site, cluster, { data, groups, address }, size) {
  const name = size.nodegroup ?? workers
  const group = groups.find(one => one.name === name)
  if (!group) throw coe.errors.notFound(`cluster "${cluster.name}" has no node group "${name}"`)
  if (size.nodesToRemove.length) throw coe.errors.usage('nodes of a toy cluster cannot be chosen')
  return planOf(site, cluster, 'resize', [
    {
      id: 'nodes',
      title: `${size.nodeCount} nodes in ${name}`,
      want: () => [objects.nodes(site, cluster.name, { ...group, count: size.nodeCount }, address)],
    },
    changedStep(site, cluster, data, ['nodes']),
  ])
}

/**
 * @param {Site} site
 * @param {Identity} cluster
 * @param {Standing} standing
 * @param {{ template: string, version: string }} wanted
 */
export function upgradePlan(site, cluster, { data, groups, address }, { template, version }) {
  const inOrder = [...groups].sort((a, b) => Number(b.name === controlPlane) - Number(a.name === controlPlane))
  /** @type {Step[]} */
  const steps = inOrder.map((group, i) => ({
    id: group.name,
    title: `${group.name} to ${version}`,
    needs: inOrder.slice(Math.max(0, i - 1), i).map(before => before.name),
    want: () => [
      objects.nodes(site, cluster.name, { ...group, version }, group.name === controlPlane ? undefined : address),
    ],
  }))
  return planOf(site, cluster, 'upgrade', [
    ...steps,
    changedStep(
      site,
      cluster,
      { ...data, template },
      inOrder.slice(-1).map(group => group.name),
    ),
  ])
}

/**
 * @param {Site} site
 * @param {Identity} cluster
 * @param {Record<string, string>} data
 * @param {string[]} needs
 * @returns {Step}
 */
const changedStep = (site, cluster, data, needs) => ({
  id: 'record',
  title: 'that it was changed',
  needs,
  want: () => [objects.record(site, cluster.name, { ...data, changed: 'true' })],
})

/**
 * @param {Site} site
 * @param {Identity} cluster
 */
export const rotatePlan = (site, cluster) =>
  planOf(site, cluster, 'rotate the credentials of', [
    { id: 'keys', title: 'new keys', want: () => [objects.keys(site, cluster.name)] },
  ])

/**
 * @param {Site} site
 * @param {Identity} cluster
 * @returns {Promise<Plan>}
 */
export async function removePlan(site, cluster) {
  const { name } = cluster
  const { key } = site.owner('cluster', cluster)
  const before = (await records(site)).find(item => item.metadata.labels?.[key] === cluster.uuid)
  const record = objects.record(site, name, { ...before?.data, state: 'going' })
  const gone = (
    /** @type {string} */ id,
    /** @type {string} */ title,
    /** @type {string[]} */ needs,
    /** @type {(group: string) => boolean} */ which,
  ) => ({
    id,
    title,
    needs,
    unwanted: async () => (await groupsOf(site, name)).filter(one => which(groupOf(one).name)).map(objects.refOf),
  })
  const kinds = [objects.deployment, objects.service, objects.secret, objects.configMap]
  return {
    ...planOf(site, cluster, 'delete', [
      ...(before ? [{ id: 'going', title: 'that it is being deleted', want: () => [record] }] : []),
      gone('workers', 'its workers', before ? ['going'] : [], group => group !== controlPlane),
      gone('control-plane', 'its control plane', ['workers'], () => true),
      {
        id: 'keys',
        title: 'its keys and its entrance',
        needs: ['control-plane'],
        unwanted: () => [objects.refOf(objects.keys(site, name)), objects.refOf(objects.entrance(site, name))],
      },
      // last: until then a run that was killed finds the cluster
      { id: 'record', title: 'what it is found by', needs: ['keys'], unwanted: () => [objects.refOf(record)] },
    ]),
    leftovers: kinds.map(kind => ({ on: 'management', kind, namespace: site.namespace })),
  }
}
