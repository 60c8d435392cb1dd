/** Creates a federation: once under its name, and done only when the server returns it. */

import { conflict, usage } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { FederationOutcome, FederationRequest } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { Federation } from '../../model/federation.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import { hasFailed, isDone } from '../../model/status.ts'
import { getCluster, listClusters } from '../../openstack/magnum-api/clusters.ts'
import * as api from '../../openstack/magnum-api/federations.ts'
import { segment } from '../../openstack/magnum-api/one.ts'
import { refuseDuplicate } from '../clusters/refuse-duplicate.ts'
import { createOnce } from '../create-once.ts'
import { recorder } from '../dry-run.ts'
import { refuseForeignReference } from '../foreign-reference.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { resolving } from '../resolve.ts'
import { facadeMs, federationFailed, isStored, watchFederation } from './watch-federation.ts'

export async function createFederation(
  context: MagnumContext,
  request: FederationRequest,
  op: ScopedOperation,
): Promise<FederationOutcome> {
  const { name, host, properties, defaults } = request
  segment(name) // refuses an empty name and dots, which mean something else in URLs
  refuseName(name)
  refuseForeignReference(host, 'federation create', name, ...optionArgs('host', host))
  const service = await context.session.magnum(op.signal)
  const hostCluster = await clusterNamed(context, op, host)
  const existing = async () => (await api.listFederations(service, {}, false)).filter(f => f.name === name)
  // by uuid: the server stores the text as it is, and never resolves a name
  const body = { name, hostcluster_id: hostCluster.uuid, properties: { ...defaults, ...properties } }
  if (op.dryRun) {
    const [found] = await existing()
    if (found) return { result: 'unchanged', federation: requireSame(found, hostCluster, properties) }
    const dry = recorder(service)
    await api.createFederation(dry.service, body)
    return { result: 'planned', federation: { ...body, status: null }, planned: dry.take() }
  }
  const { object, created } = await createOnce<Federation>({
    what: `federation "${name}"`,
    where: context.where,
    duplicate: 'reuse',
    existing,
    appears: { withinMs: facadeMs, clock: context.clock, signal: op.signal },
    post: () => api.createFederation(service, body),
  })
  const stored = created
    ? await isStored(context, object.uuid, { name, host: hostCluster.name ?? host }, op)
    : requireSame(object as Federation, hostCluster, properties)
  if (created) {
    await refuseDuplicate({
      what: `federation "${name}"`,
      uuid: object.uuid,
      named: existing,
      remove: uuid => nextStep('delete the later one', 'federation delete', uuid),
      note: op.report.note,
    })
  }
  if (hasFailed(stored.status)) throw federationFailed(stored)
  const federation = op.wait ? await completed(context, stored, op) : stored
  return { result: created ? 'created' : 'unchanged', federation }
}

/** As Magnum would refuse it, before any request. */
function refuseName(name: string): void {
  if (/^[a-zA-Z][a-zA-Z0-9_.-]{0,241}$/.test(name)) return
  throw usage(`"${name}" is not a valid name for Magnum`, {
    hint: 'use at most 242 letters, digits, "_", "." and "-", and begin with a letter',
  })
}

async function completed(context: MagnumContext, stored: Federation, op: ScopedOperation): Promise<Federation> {
  if (isDone(stored.status)) return stored
  const watch = { before: stored, what: 'complete', goal: () => true, untilComplete: true }
  return (await watchFederation(context, watch, op)) as Federation
}

/** A repeated create with the same settings changes nothing; with others it is a conflict, not an update. */
function requireSame(existing: Federation, host: Cluster, properties: Record<string, string>): Federation {
  const { name, status, uuid } = existing
  const differs = Object.entries(properties).filter(([k, v]) => existing.properties?.[k] !== v)
  const details = { federation: uuid, federation_status: status }
  if (/^DELETE_IN_PROGRESS$/.test(status ?? '')) {
    throw conflict(`federation "${name}" is being deleted`, { hint: 'run this again when it is deleted', details })
  }
  if (![host.uuid, host.name].includes(existing.hostcluster_id ?? '')) {
    throw conflict(`federation "${name}" exists already on another host (${existing.hostcluster_id})`, { details })
  }
  if (differs.length > 0) {
    const edits = differs.flatMap(([k, v]) => optionArgs('property', `${k}=${v}`))
    throw conflict(
      `federation "${name}" exists already with other properties (${differs.map(([k]) => k).join(', ')})`,
      {
        next: [nextStep('change them with', 'federation update', ...edits, name ?? '')],
        details,
      },
    )
  }
  return existing
}

async function clusterNamed(context: MagnumContext, call: Call, ref: string): Promise<Cluster> {
  const service = await context.session.magnum(call.signal)
  return resolving(
    { kind: 'cluster', ref, where: context.where, candidates: () => listClusters(service, {}, false) },
    () => getCluster(service, ref),
  )
}
