// The state of members, read when it is needed and never stored.
import { access, decoded } from './access.js'
import { memberLabel } from './template-def.js'

/**
 * @typedef {import('./coe.js').DriverApi} DriverApi
 * @typedef {import('./coe.js').FederationSite} Site
 * @typedef {import('./coe.js').MemberHealth} MemberHealth
 */

/**
 * @param {DriverApi} coe
 * @param {Site} site
 * @param {{ probe: boolean }} how
 * @returns {Promise<MemberHealth[]>}
 */
export async function members(coe, { host, namespace, signal }, { probe }) {
  const secrets = await host.list({ apiVersion: 'v1', kind: 'Secret' }, { namespace, labels: memberLabel, signal })
  return Promise.all(secrets.items.map(secret => memberOf(coe, secret, probe, signal)))
}

/**
 * @param {DriverApi} coe
 * @param {import('./coe.js').KubeObject} secret
 * @param {boolean} probe
 * @param {AbortSignal} signal
 * @returns {Promise<MemberHealth>}
 */
async function memberOf(coe, secret, probe, signal) {
  const { labels = {}, annotations = {}, creationTimestamp = null } = secret.metadata
  const name = labels[memberLabel] ?? ''
  const { uid, server, region, zones, provider } = JSON.parse(annotations['roster/about'] ?? '{}')
  const seen = probe ? await look(coe, { name, server, secret, signal }) : { ready: null, message: null, version: null }
  return {
    name,
    ...seen,
    reason: seen.ready === false ? 'NotReachable' : null,
    nodes: null,
    server,
    cluster_uid: uid,
    region,
    zones,
    provider,
    labels,
    joined_at: creationTimestamp,
    leaving: false,
  }
}

/**
 * With the keys of the list: what is told is what a user of the list would find.
 * @param {DriverApi} coe
 * @param {{ name: string, server: string, secret: import('./coe.js').KubeObject, signal: AbortSignal }} member
 */
async function look(coe, { name, server, secret, signal }) {
  const token = decoded(secret, 'token')
  if (token) coe.addSecret(token)
  const way = { name, server, ca: decoded(secret, 'ca.crt'), token }
  try {
    const { gitVersion } = await coe.connect(way, { title: `member "${name}"`, timeoutMs: 5_000 }).version({ signal })
    return { ready: true, message: null, version: gitVersion }
  } catch (error) {
    return { ready: false, message: error instanceof Error ? error.message : String(error), version: null }
  }
}

/**
 * @param {DriverApi} coe
 * @param {Site} site
 * @returns {Promise<import('./coe.js').FederationHealth>}
 */
export async function health(coe, site) {
  const [api, list] = await Promise.all([apiHealth(coe, site), members(coe, site, { probe: true })])
  return { api, members: list, components: [], certificates: [] }
}

/**
 * @param {DriverApi} coe
 * @param {Site} site
 */
async function apiHealth(coe, site) {
  const { server } = site.host
  try {
    const api = coe.connect(await access(coe, site), { title: `the API of federation "${site.name}"`, timeoutMs: 5_000 })
    const { gitVersion } = await api.version({ signal: site.signal })
    return { server, reachable: true, version: gitVersion }
  } catch (error) {
    return { server, reachable: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
