/** Federations in clusters that the kubeconfig reaches. */

import { awaitAll } from '../../core/concurrency.ts'
import type { FederationPlace, Federations } from '../../model/backend.ts'
import type { DepsFor } from '../deps.ts'
import { joinMembers } from '../members/join.ts'
import { membersHere } from '../members/members-here.ts'
import { withRecorded } from '../members/recorded-members.ts'
import { memberHoldings, unjoinMembers } from '../members/unjoin.ts'
import { page } from '../page.ts'
import { findFederation } from '../references/find.ts'
import { apiState, withApi } from './api-state.ts'
import { createFederation } from './create.ts'
import { deleteFederation } from './delete.ts'
import { listFederations } from './list.ts'
import { observe } from './observe.ts'
import { resumeFederation } from './resume.ts'
import { driverOf, firstCommand, siteOf } from './site.ts'
import { updateProperties } from './update.ts'
import { federationOf } from './view.ts'
import { waitForFederation } from './wait.ts'

export function standaloneFederations(depsFor: DepsFor, place: FederationPlace = {}): Federations {
  return {
    // hosts have names here, and federations are named by theirs
    tableColumns: ['name', 'hostcluster', 'members', 'status'],
    at: where => standaloneFederations(depsFor, where),
    list: async (call, query) => page(await listFederations(depsFor(call), place, query), query),
    async get(call, ref, { address = false } = {}) {
      const deps = depsFor(call)
      const { working, ...located } = await observe(deps, ref, place)
      const [members, api] = await awaitAll([
        membersHere(deps, located.host, located.record, deps.call.signal),
        address ? apiState(deps, located) : undefined,
      ])
      const federation = federationOf(located.record, members, working)
      return api === undefined ? federation : withApi(federation, api)
    },
    create: (call, request, op) => createFederation(depsFor(call), request, place, { ...call, ...op }),
    update: (call, ref, { set, unset }, op) =>
      updateProperties(depsFor(call), ref, place, { set, unset }, { ...call, ...op }),
    resume: (call, ref, how, op) => resumeFederation(depsFor(call), ref, place, { ...call, ...op }, how),
    delete: (call, ref, op, how = {}) => deleteFederation(depsFor(call), ref, place, { ...call, ...op }, how),
    join: (call, ref, clusters, op, how = {}) =>
      joinMembers(depsFor(call), ref, clusters, place, { ...call, ...op }, how),
    waitFor: (call, ref, goal, op) => waitForFederation(depsFor(call), ref, place, goal, { ...call, ...op }),
    holdings: (call, ref, clusters) => memberHoldings(depsFor(call), ref, clusters, place),
    unjoin: (call, ref, clusters, op, how = {}) =>
      unjoinMembers(depsFor(call), ref, clusters, place, { ...call, ...op }, how),
    async health(call, ref) {
      const deps = depsFor(call)
      const { working, ...located } = await observe(deps, ref, place)
      const { federations: driver } = await driverOf(deps, located)
      const [members, health] = await awaitAll([
        membersHere(deps, located.host, located.record, deps.call.signal),
        driver.open(siteOf(located, deps.call.signal)).health(),
      ])
      return {
        federation: federationOf(located.record, members, working),
        health: withRecorded(health, members, working, located.record.name),
      }
    },
    async access(call, ref, who) {
      const deps = depsFor(call)
      const located = await findFederation(deps, ref, place)
      const { federations: driver } = await driverOf(deps, located)
      const opened = driver.open(siteOf(located, deps.call.signal))
      return who ? opened.grant(who) : opened.access({ answering: true })
    },
    async enter(call, ref, { who, contextName }) {
      const deps = depsFor(call)
      const located = await findFederation(deps, ref, place)
      const { federations: driver } = await driverOf(deps, located)
      const opened = driver.open(siteOf(located, deps.call.signal))
      const access = await (who ? opened.grant(who) : opened.access({ answering: true }))
      const usual = located.record.contextName
      // another user's context gets its own name, so as not to replace the administrator's
      const names = { contextName: contextName ?? (who ? `${who.user}@${usual}` : usual), user: who?.user }
      const record = { ...located.record, ...names }
      await deps.local.entries.write(record, access)
      const { name, uuid, namespace } = record
      await deps.local.federations.remember([{ name, uuid, namespace, host: located.reference }])
      // a new user has no role yet, and may not list anything
      const look = who ? 'auth whoami' : firstCommand(driver, record)
      return { context: record.contextName, look }
    },
    async images(call, { driver: name, options }) {
      const { drivers } = depsFor(call)
      const driver = await drivers.federations(name ?? (await drivers.defaultFederations()))
      return driver.federations.images(driver.federations.settings(options))
    },
  }
}
