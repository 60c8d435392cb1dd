// A plan is data: steps, each with the objects to apply (want) or to delete (unwanted). The engine reads before it writes, applies,
// waits, and can be killed and run again. So steps describe the wanted state, and never create or delete by themselves.
import { decoded } from './access.js'
import * as objects from './template-def.js'

/**
 * @typedef {import('./coe.js').FederationSite} Site
 * @typedef {import('./coe.js').Plan} Plan
 */

/**
 * @param {Site} site
 * @returns {Plan}
 */
export function createPlan(site) {
  return {
    title: `create federation "${site.name}"`,
    owner: site.owner,
    clusters: { host: { title: site.hostTitle, connect: async () => site.host } },
    steps: [
      { id: 'account', title: 'account that may read the list', want: () => objects.readers(site.namespace) },
      {
        id: 'keys',
        title: 'keys to the account',
        needs: ['account'],
        want: () => [objects.readerToken(site.namespace)],
        // the host fills in the token a moment later: called again until it returns a value
        async ready(_, { api, signal }) {
          const secret = await api.get(objects.refOf(objects.readerToken(site.namespace)), { signal })
          return decoded(secret, 'token') ? {} : undefined
        },
        timeoutMs: 60_000,
        hint: "is the host's kube-controller-manager running? It fills in the tokens of service accounts",
      },
    ],
  }
}

/**
 * @param {Site} site
 * @param {import('./coe.js').JoinRequest} request
 * @returns {Plan}
 */
export function joinPlan(site, request) {
  const { member, extraObjects = [] } = request
  return {
    title: `join "${request.name}" to federation "${site.name}"`,
    owner: site.owner,
    clusters: {
      member: { title: `member "${request.name}"`, connect: async () => member },
      host: { title: site.hostTitle, connect: async () => site.host },
    },
    steps: [
      {
        id: 'role',
        title: 'rights of the federation on the member',
        want: () => [objects.memberBinding(String(site.settings['member-role']))],
        gives: ['uid'], // later steps get it in their outputs
        async ready(_, { api, signal }) {
          const uid = (await api.get(objects.memberBindingRef, { signal }))?.metadata.uid
          return uid ? { uid } : undefined
        },
      },
      {
        id: 'account',
        title: 'account of the federation on the member',
        needs: ['role'],
        // the binding owns all of it: when it is deleted, the member's garbage collector deletes the rest
        want: ({ uid }) => [...objects.memberAccount(), ...extraObjects].map(object => objects.hangOn(object, String(uid))),
      },
      {
        id: 'keys',
        title: 'keys to that account',
        needs: ['account'],
        want: () => [objects.memberToken()],
        gives: ['keys'],
        secrets: ['keys'], // a dry run names them; they are never shown
        async ready(_, { api, signal }) {
          const secret = await api.get(objects.refOf(objects.memberToken()), { signal })
          const token = decoded(secret, 'token')
          return token ? { keys: { token, ca: request.access.ca ?? decoded(secret, 'ca.crt') } } : undefined
        },
        timeoutMs: 60_000,
      },
      {
        id: 'entry',
        title: 'entry in the list',
        needs: ['keys'],
        on: 'host',
        want: ({ keys }) => [objects.entry(site.namespace, request, keys)],
      },
    ],
  }
}

/**
 * @param {Site} site
 * @param {import('./coe.js').UnjoinRequest} request
 * @returns {Plan}
 */
export function unjoinPlan(site, { name, member, force }) {
  const host = { title: site.hostTitle, connect: async () => site.host }
  const entry = {
    id: 'entry',
    title: 'its entry in the list',
    on: 'host',
    unwanted: () => [objects.entryRef(site.namespace, name)],
  }
  const plan = { title: `unjoin "${name}" from federation "${site.name}"`, owner: site.owner }
  if (force || !member) return { ...plan, clusters: { host }, steps: [entry] }
  return {
    ...plan,
    clusters: { member: { title: `member "${name}"`, connect: async () => member }, host },
    steps: [
      {
        id: 'account',
        title: 'account of the federation on the member',
        unwanted: () => [objects.memberBindingRef, objects.memberNamespaceRef],
        // what the binding owns outside of that namespace goes a moment later
        async ready(_, { api, signal }) {
          const labels = `${site.owner.key}=${site.owner.labels[site.owner.key]}`
          const selection = { namespace: 'kube-system', labels, metadataOnly: true, signal }
          const { items } = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' }, selection)
          return items.length ? undefined : {}
        },
      },
      // last: after a run was killed in between, the next one finds the entry and resumes
      { ...entry, needs: ['account'] },
    ],
  }
}

/**
 * @param {Site} site
 * @returns {Plan}
 */
export function removePlan(site) {
  const all = [...objects.readers(site.namespace), objects.readerToken(site.namespace)]
  return {
    title: `delete federation "${site.name}"`,
    owner: site.owner,
    clusters: { host: { title: site.hostTitle, connect: async () => site.host } },
    steps: [{ id: 'account', title: 'account that could read the list', unwanted: () => all.map(objects.refOf) }],
    leftovers: all.map(({ apiVersion, kind }) => ({ on: 'host', kind: { apiVersion, kind }, namespace: site.namespace })),
  }
}
