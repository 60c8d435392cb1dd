/** Finds the clusters that are to join and their names, and refuses what can be refused before any cluster is checked. */
import { resultOf } from '../../core/concurrency.ts'
import { CoeError, conflict, usage } from '../../core/errors.ts'
import { standaloneStep } from '../../core/next-step.ts'
import type { FederationDriver, JoinRequest, OpenFederation, PlanOptions } from '../../drivers/driver-api.ts'
import type { JoinOptions } from '../../model/backend.ts'
import type { MemberRequest } from '../../model/member-request.ts'
import { type MemberSettings, statedSettings, withSettings } from '../../model/member-settings.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Standalone } from '../deps.ts'
import { refuseEnding } from '../federations/ending.ts'
import { placeArgs } from '../federations/site.ts'
import { checkMemberName, suggestedName } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { type FoundCluster, findCluster } from '../references/references.ts'
import { type MemberRecord, marker } from './member-record.ts'

/** One cluster of the command line, with what is known of it before anything is written. */
export interface Candidate {
  argument: string
  cluster: FoundCluster
  name: string
  known: MemberRecord | undefined
  settings: MemberSettings
  request: JoinRequest
  /** What the driver's check found, so that its plan need not read it a second time. */
  found?: unknown
}

export type Target = { argument: string; ready: Candidate } | { argument: string; error: Error }

export interface Joining {
  deps: Standalone
  located: Located
  driver: FederationDriver
  op: ScopedOperation
  how: JoinOptions
  /** Passed to each plan: the next step if it stops, and the driver's options. */
  plans: PlanOptions
  /** Shared by all joins of this run, so that the federation's API is opened once. */
  opened: OpenFederation
}

export function refuseUnfinished({ record, reference }: Located): void {
  refuseEnding(record, reference)
  if (record.state === 'created') return
  throw conflict(`federation "${record.name}" is not finished`, {
    next: [standaloneStep('resume', 'federation create', record.name, ...placeArgs({ host: reference }))],
  })
}

export async function target(
  { deps, located, driver, how, op }: Joining,
  request: MemberRequest,
  members: readonly MemberRecord[],
): Promise<Target> {
  const { cluster: argument, name: wanted, slug } = request
  const found = await resultOf(findCluster(deps, argument, 'member'))
  if (!found.ok) return failure(argument, found.error)
  const cluster = found.value
  const known = members.find(m => m.uid === cluster.uid)
  const { record } = located
  if (cluster.uid === record.host.uid && !how.allowHost && !known) {
    return failure(
      argument,
      usage(`"${argument}" is the host of federation "${record.name}"`, {
        hint: 'as a member, the host runs workloads on the nodes that run the federation; if you want that, add --allow-host',
      }),
    )
  }
  if (known && wanted !== undefined && wanted !== known.name) {
    return failure(
      argument,
      conflict(`"${argument}" is already a member, as "${known.name}"; the name of a member cannot change`, {
        hint: 'to rename it, take it out and join it again',
        next: [standaloneStep('take it out', 'federation unjoin', record.name, known.name)],
      }),
    )
  }
  const proposed = slug ? suggestedName(cluster.name, driver.memberNameProblem) : cluster.name
  const name = known?.name ?? wanted ?? proposed
  const checked = await resultOf((async () => checkMemberName(name, driver))())
  if (!checked.ok) return failure(argument, checked.error)
  if (name === proposed && proposed !== cluster.name)
    op.report.note(`"${cluster.name}" is called "${name}" in the federation`)
  const settings = withSettings(known?.settings ?? {}, request)
  return {
    argument,
    ready: { argument, cluster, name, known, settings, request: requestOf(located, { cluster, name, settings }) },
  }
}

export const failure = (argument: string, error: unknown): Target => {
  if (error instanceof CoeError) return { argument, error }
  throw error
}

/** Refuses a cluster that is named twice, by two of its contexts, and a name that two clusters would share. */
export function onlyOnce(targets: readonly Target[]): Target[] {
  const uids = new Map<string, string>()
  const names = new Map<string, string>()
  return targets.map(one => {
    if (!('ready' in one)) return one
    const { cluster, name } = one.ready
    const twin = uids.get(cluster.uid)
    if (twin !== undefined) {
      const hint = 'name each cluster once, by any of its contexts'
      return failure(one.argument, conflict(`"${one.argument}" is the same cluster as "${twin}"`, { hint }))
    }
    const namesake = names.get(name)
    if (namesake !== undefined) {
      const hint = 'join one of them on its own, with another name: --cluster-name NAME'
      return failure(
        one.argument,
        conflict(`"${one.argument}" and "${namesake}" would both be called "${name}"`, { hint }),
      )
    }
    uids.set(cluster.uid, one.argument)
    names.set(name, one.argument)
    return one
  })
}

const requestOf = (
  located: Located,
  { cluster, name, settings }: Pick<Candidate, 'cluster' | 'name' | 'settings'>,
): JoinRequest => ({
  ...statedSettings(settings),
  labels: settings.labels ?? {},
  name,
  member: cluster.api,
  access: cluster.access,
  uid: cluster.uid,
  extraObjects: [marker(located.record, name, located.record.host.shared)],
})
