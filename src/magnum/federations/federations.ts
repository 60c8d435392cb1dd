/**
 * Federations over Magnum's REST API: which accepts everything, and on most clouds does nothing. So each change is looked
 * at: without a wait until it has taken hold, with one until it is done.
 */
import { fallbackOn, usage } from '../../core/errors.ts'
import { answerLost } from '../../core/failed-request.ts'
import type { Federations, MemberOutcome } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { Federation } from '../../model/federation.ts'
import type { MemberRequest } from '../../model/member-request.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import * as api from '../../openstack/magnum-api/federations.ts'
import { jsonPatch } from '../../openstack/magnum-api/json-patch.ts'
import type { Service } from '../../openstack/service.ts'
import { recorder } from '../dry-run.ts'
import { refuseForeignReference } from '../foreign-reference.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { resolving } from '../resolve.ts'
import { createFederation } from './federation-create.ts'
import { changeMembers } from './federation-members.ts'
import { waitForFederation } from './wait-federation.ts'
import { watchFederation } from './watch-federation.ts'

export function magnumFederations(context: MagnumContext): Federations {
  const magnum = (call: Call) => context.session.magnum(call.signal)
  const list: Federations['list'] = async (call, query) => {
    const found = await api.listFederations(await magnum(call), query, query.detail === true)
    const project = await projectOf(context, call)
    return found.map(f => complete(f, project))
  }
  const find = <T>(call: Call, ref: string, request: (service: Service) => Promise<T>): Promise<T> =>
    resolving(
      { kind: 'federation', ref, where: context.where, candidates: async () => named(await list(call, {})), none },
      async () => request(await magnum(call)),
    )
  const get = async (call: Call, ref: string): Promise<Federation> =>
    complete(await find(call, ref, service => api.getFederation(service, ref)), await projectOf(context, call))

  const members =
    (verb: 'join' | 'unjoin') =>
    async (ref: string, clusters: string[], op: ScopedOperation): Promise<MemberOutcome[]> => {
      for (const c of clusters) refuseForeignReference(c, `federation ${verb}`, ref, ...clusters)
      return changeMembers(context, verb, await get(op, ref), clusters, op)
    }

  return {
    // two uuids in a row, as of Magnum's hosts, would leave no room
    tableColumns: ['uuid', 'name', 'members', 'status'],
    inBackground: true,
    needsZone: true,
    list,
    get,
    async create(call, request, op) {
      const outcome = await createFederation(context, request, { ...call, ...op })
      return { ...outcome, federation: complete(outcome.federation as Federation, await projectOf(context, call)) }
    },
    async update(call, ref, { set, unset, rollback = false }, op) {
      refuseKeys([...Object.keys(set), ...unset])
      const before = await get(call, ref)
      const edits = [
        ...Object.entries(set)
          .filter(([key, value]) => before.properties[key] !== value)
          .map(([key, value]) => ({ op: 'add' as const, path: `properties/${key}`, value })),
        ...unset
          .filter(key => Object.hasOwn(before.properties, key))
          .map(key => ({ op: 'remove' as const, path: `properties/${key}` })),
      ]
      if (edits.length === 0) return { result: 'unchanged', federation: before }
      const send = (service: Service) => api.patchFederation(service, before.uuid, jsonPatch(edits), rollback)
      if (op.dryRun) {
        const dry = recorder(await magnum(call))
        await send(dry.service)
        return { result: 'planned', federation: before, planned: dry.take() }
      }
      await find(call, ref, send).catch(unlessLost)
      const goal = ({ properties }: Federation) =>
        Object.entries(set).every(([k, v]) => properties?.[k] === v) &&
        unset.every(k => !Object.hasOwn(properties ?? {}, k))
      const after = await watchFederation(
        context,
        { before, what: 'changed', goal, atRest: op.wait },
        { ...call, ...op },
      )
      return { result: 'updated', federation: complete(after as Federation, before.project_id) }
    },
    async delete(call, ref, op) {
      const before = await get(call, ref)
      const send = (service: Service) => api.deleteFederation(service, before.uuid)
      if (op.dryRun) {
        const dry = recorder(await magnum(call))
        await send(dry.service)
        return { result: 'planned', federation: before, planned: dry.take() }
      }
      await find(call, ref, send).catch(unlessLost)
      const goal = (f: Federation) => !op.wait && f.status === 'DELETE_IN_PROGRESS'
      const after = await watchFederation(context, { before, what: 'deleted', goal, orGone: true }, { ...call, ...op })
      return { result: after ? 'deleting' : 'deleted', federation: before }
    },
    async waitFor(call, ref, goal, op) {
      const found = await (goal.kind === 'gone'
        ? get(call, ref).catch(fallbackOn('notFound', undefined))
        : get(call, ref))
      if (!found) return undefined
      const after = await waitForFederation(context, found, goal, { ...call, ...op })
      return after && complete(after, found.project_id)
    },
    join: async (call, ref, joining, op) => {
      refuseSettings(joining)
      return members('join')(
        ref,
        joining.map(m => m.cluster),
        { ...call, ...op },
      )
    },
    unjoin: (call, ref, clusters, op) => members('unjoin')(ref, clusters, { ...call, ...op }),
  }
}

/** What somebody should know who finds no federation: on most clouds there can never be one. */
const none = 'no federation is kept there, and most Magnums keep none; --standalone makes federations without Magnum'

/** A file of members may hold them; Magnum would take the cluster and drop them. */
function refuseSettings(members: readonly MemberRequest[]): void {
  const set = members.find(({ cluster: _, ...settings }) => Object.keys(settings).length > 0)
  if (!set) return
  throw usage(`Magnum keeps no settings for a member, and "${set.cluster}" has some`, {
    hint: 'add --standalone to join clusters from kubeconfig contexts, with their settings',
  })
}

/** Magnum's paths carry no other names; a slash would even mean something else. */
function refuseKeys(keys: readonly string[]): void {
  const bad = keys.find(key => !/^[\w-]+$/.test(key))
  if (bad === undefined) return
  throw usage(`Magnum cannot change the property "${bad}": names that it can change hold letters, digits, _ and - only`)
}

/** Lost was the answer, perhaps not the request: what is there tells. */
function unlessLost(error: unknown): void {
  if (!answerLost(error)) throw error
}

const named = (federations: readonly Federation[]) =>
  federations.map(f => ({ uuid: f.uuid, name: f.name ?? '', status: f.status }))

/** The API does not tell the project; a federation is only ever seen from its own. */
async function projectOf(context: MagnumContext, call: Call): Promise<string | null> {
  return (await context.session.identity({ signal: call.signal })).project?.id ?? null
}

/** Short answers leave fields out, and old rows have nulls where lists belong. */
function complete(federation: Federation, project: string | null): Federation {
  return {
    ...federation,
    project_id: project,
    member_ids: federation.member_ids ?? [],
    properties: federation.properties ?? {},
    status_reason: federation.status_reason ?? null,
    created_at: federation.created_at ?? null,
    updated_at: federation.updated_at ?? null,
  }
}
