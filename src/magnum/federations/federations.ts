/**
 * Federations over Magnum's REST API, which accepts everything and on most clouds does nothing. So coe watches each change:
 * without --wait until it takes effect, with it until it is complete.
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
    return found.map(f => withAllFields(f, project))
  }
  const find = <T>(call: Call, ref: string, request: (service: Service) => Promise<T>): Promise<T> =>
    resolving(
      { kind: 'federation', ref, where: context.where, candidates: async () => named(await list(call, {})), none },
      async () => request(await magnum(call)),
    )
  const get = async (call: Call, ref: string): Promise<Federation> =>
    withAllFields(await find(call, ref, service => api.getFederation(service, ref)), await projectOf(context, call))

  const members =
    (verb: 'join' | 'unjoin') =>
    async (ref: string, clusters: string[], op: ScopedOperation): Promise<MemberOutcome[]> => {
      for (const c of clusters) refuseForeignReference(c, `federation ${verb}`, ref, ...clusters)
      return changeMembers(context, verb, await get(op, ref), clusters, op)
    }

  return {
    // without the host: two uuids in a row would leave no room for the rest
    tableColumns: ['uuid', 'name', 'members', 'status'],
    inBackground: true,
    needsZone: true,
    list,
    get,
    async create(call, request, op) {
      const outcome = await createFederation(context, request, { ...call, ...op })
      return { ...outcome, federation: withAllFields(outcome.federation as Federation, await projectOf(context, call)) }
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
        { before, what: 'changed', goal, untilComplete: op.wait },
        { ...call, ...op },
      )
      return { result: 'updated', federation: withAllFields(after as Federation, before.project_id) }
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
      return after && withAllFields(after, found.project_id)
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

/** For users who find no federation: most clouds cannot have one. */
const none = 'it has no federations, and most Magnums cannot store any; --standalone makes federations without Magnum'

/** A file of members may contain settings; Magnum would accept the cluster and drop them. */
function refuseSettings(members: readonly MemberRequest[]): void {
  const set = members.find(({ cluster: _, ...settings }) => Object.keys(settings).length > 0)
  if (!set) return
  throw usage(`Magnum stores no settings of members, and "${set.cluster}" has some`, {
    hint: 'add --standalone to join clusters from kubeconfig contexts, with their settings',
  })
}

/** Magnum's paths can contain no other names; a slash would even mean something else. */
function refuseKeys(keys: readonly string[]): void {
  const bad = keys.find(key => !/^[\w-]+$/.test(key))
  if (bad === undefined) return
  throw usage(`Magnum cannot change the property "${bad}": it can change only names of letters, digits, "_" and "-"`)
}

/** If only the answer was lost, the wait that follows shows whether the request took effect. */
function unlessLost(error: unknown): void {
  if (!answerLost(error)) throw error
}

const named = (federations: readonly Federation[]) =>
  federations.map(f => ({ uuid: f.uuid, name: f.name ?? '', status: f.status }))

/** The API does not return the project; a federation is visible only in its own project. */
async function projectOf(context: MagnumContext, call: Call): Promise<string | null> {
  return (await context.session.identity({ signal: call.signal })).project?.id ?? null
}

/** Fills fields that short answers leave out, and replaces the nulls of old rows. */
function withAllFields(federation: Federation, project: string | null): Federation {
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
