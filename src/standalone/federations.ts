/** Federations that live in clusters we can reach. */

import { coeExtension, loadKubeconfig } from '../config/kubeconfig.ts'
import { mapLimit, settle } from '../core/concurrency.ts'
import type { ClusterApi } from '../kube/cluster-api.ts'
import type { FederationPlace, Federations } from '../model/backend.ts'
import type { Federation } from '../model/federation.ts'
import { changing } from './change.ts'
import { writeContext } from './context-entry.ts'
import { createFederation } from './create.ts'
import { deleteFederation } from './delete.ts'
import { candidates, findFederation, listRecords } from './find.ts'
import { joinMembers } from './join.ts'
import { readIndex, remember } from './local-index.ts'
import { listMembers, parseMember } from './member-record.ts'
import { configMapKind, recordLabel, uuidLabel } from './names.ts'
import { findAccess } from './references.ts'
import type { Standalone } from './room.ts'
import { driverOf, siteOf } from './site.ts'
import { unjoinMembers } from './unjoin.ts'
import { federationOf, isWorkedOn } from './view.ts'

export function standaloneFederations(room: Standalone, place: FederationPlace = {}): Federations {
  return {
    at: where => standaloneFederations(room, where),
    list: async query => (await listFederations(room, place)).slice(0, query.limit),
    async get(ref) {
      const located = await findFederation(room, ref, place)
      const [members, working] = await Promise.all([
        listMembers(located.host, located.record, room.signal),
        isWorkedOn(room, located),
      ])
      return federationOf(located.record, members, working)
    },
    create: (request, op) => createFederation(room, request, place, op),
    async update(ref, { set, unset }, op) {
      const located = await findFederation(room, ref, place)
      const { record, host } = located
      const properties = { ...record.properties, ...set }
      for (const key of unset) delete properties[key]
      const members = await listMembers(host, record, room.signal)
      const after = federationOf({ ...record, properties }, members, false)
      if (same(properties, record.properties)) return { result: 'unchanged', federation: after }
      if (op.dryRun) {
        const planned = [
          { action: 'update', target: `the record of federation "${record.name}"`, body: { properties } },
        ]
        return { result: 'planned', federation: after, planned }
      }
      return changing(room, located, { verb: 'update' }, op, async run => {
        const next = { ...run.record().properties, ...set }
        for (const key of unset) delete next[key]
        await run.save({ properties: next })
        const federation = {
          ...federationOf(run.record(), members, false),
          status: 'UPDATE_COMPLETE',
          status_reason: null,
        }
        return { value: { result: 'updated', federation, told: [`Federation ${record.name} is updated`] } }
      })
    },
    delete: (ref, op, how = {}) => deleteFederation(room, ref, place, op, how),
    join: (ref, clusters, op, how = {}) => joinMembers(room, ref, clusters, place, op, how),
    unjoin: (ref, clusters, op, how = {}) => unjoinMembers(room, ref, clusters, place, op, how),
    async health(ref) {
      const located = await findFederation(room, ref, place)
      const { federations: driver } = await driverOf(room, located)
      const [members, working, health] = await Promise.all([
        listMembers(located.host, located.record, room.signal),
        isWorkedOn(room, located),
        driver.health(siteOf(located, room.signal)),
      ])
      return { federation: federationOf(located.record, members, working), health }
    },
    async access(ref, who) {
      const located = await findFederation(room, ref, place)
      const { federations: driver } = await driverOf(room, located)
      const site = siteOf(located, room.signal)
      return who ? driver.grant(site, who) : driver.access(site)
    },
    async enter(ref, { who, contextName }) {
      const located = await findFederation(room, ref, place)
      const { federations: driver } = await driverOf(room, located)
      const site = siteOf(located, room.signal)
      const access = await (who ? driver.grant(site, who) : driver.access(site))
      const record = { ...located.record, contextName: contextName ?? located.record.contextName }
      await writeContext(room, record, access)
      const { name, uuid, namespace } = record
      await remember(room, { name, uuid, namespace, host: located.reference })
      return record.contextName
    },
    async images({ driver: name, options }) {
      const driver = await room.drivers.federations(name ?? (await room.drivers.defaultFederations()))
      return driver.federations.images(driver.federations.settings(options))
    },
  }
}

const same = (a: Record<string, string>, b: Record<string, string>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([k, v]) => b[k] === v)

/** Of the host that is named; else of all clusters that the kubeconfig leads to. */
async function listFederations(room: Standalone, { host, namespace }: FederationPlace): Promise<Federation[]> {
  if (host !== undefined) {
    const { access, reference } = await findAccess(room, host)
    return ofHost(room, room.coe.connect(access, { title: `the API server of host "${reference}"` }), namespace)
  }
  const [contexts, noted] = await Promise.all([candidates(room), notedHosts(room)])
  const silent: string[] = []
  const found = await mapLimit(contexts, 8, async context => {
    const look = await settle(room.probe(context).then(api => ofHost(room, api, namespace)))
    room.signal.throwIfAborted()
    if (look.ok) return look.value
    // a host that is known to have federations must not be missed in silence
    if (noted.has(context)) throw look.error
    silent.push(context)
    return []
  })
  if (silent.length) room.note(`could not be asked: ${silent.sort().join(', ')}`)
  const byUuid = new Map(found.flat().map(f => [f.uuid, f]))
  return [...byUuid.values()].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
}

async function notedHosts(room: Standalone): Promise<Set<string>> {
  const [{ contexts }, index] = await Promise.all([loadKubeconfig(room.world), readIndex(room)])
  const notes = [...contexts.values()].map(c => coeExtension(c)).filter(n => n?.federation !== undefined)
  return new Set([...notes.map(n => String(n?.host)), ...index.map(e => e.host)])
}

/** Federations and members in one request. */
async function ofHost(room: Standalone, host: ClusterApi, namespace: string | undefined): Promise<Federation[]> {
  const { signal } = room
  const [records, members] = await Promise.all([
    listRecords(host, undefined, namespace, signal),
    host.list(configMapKind, { labels: `${recordLabel}=member`, namespace, signal }),
  ])
  return Promise.all(
    records.map(async record => {
      const own = members.items.filter(m => m.metadata.labels?.[uuidLabel] === record.uuid).map(parseMember)
      return federationOf(record, own, await isWorkedOn(room, { record, host }))
    }),
  )
}
