/** Which clusters are to join, under which names: all that can be refused before any of them is looked at closely. */
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

/** One cluster of the line, as far as it is known before anything is done. */
export interface Candidate {
  given: string
  cluster: FoundCluster
  name: string
  known: MemberRecord | undefined
  said: MemberSettings
  request: JoinRequest
  /** What the driver found of it: its plan need not look again. */
  found?: unknown
}

export type Target = { given: string; ready: Candidate } | { given: string; error: Error }

export interface Joint {
  deps: Standalone
  located: Located
  driver: FederationDriver
  op: ScopedOperation
  how: JoinOptions
  /** For each plan: the next step where it stops, and options of the driver. */
  plans: PlanOptions
  /** For all who join in this run: its API is entered once. */
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
  { deps, located, driver, how, op }: Joint,
  request: MemberRequest,
  members: readonly MemberRecord[],
): Promise<Target> {
  const { cluster: given, name: wanted, slug } = request
  const found = await resultOf(findCluster(deps, given, 'member'))
  if (!found.ok) return failure(given, found.error)
  const cluster = found.value
  const known = members.find(m => m.uid === cluster.uid)
  const { record } = located
  if (cluster.uid === record.host.uid && !how.allowHost && !known) {
    return failure(
      given,
      usage(`"${given}" is the host of federation "${record.name}"`, {
        hint: 'a host that is a member too shares its nodes with the workloads: --allow-host says that you mean it',
      }),
    )
  }
  if (known && wanted !== undefined && wanted !== known.name) {
    return failure(
      given,
      conflict(`"${given}" is a member already, as "${known.name}"; a name is fixed when it joins`, {
        hint: 'to change it, take it out and join it anew',
        next: [standaloneStep('take it out', 'federation unjoin', record.name, known.name)],
      }),
    )
  }
  const own = slug ? suggestedName(cluster.name, driver.memberNameProblem) : cluster.name
  const name = known?.name ?? wanted ?? own
  const fits = await resultOf((async () => checkMemberName(name, driver))())
  if (!fits.ok) return failure(given, fits.error)
  if (name === own && own !== cluster.name) op.report.note(`"${cluster.name}" is called "${name}" in the federation`)
  const said = withSettings(known?.said ?? {}, request)
  return { given, ready: { given, cluster, name, known, said, request: requestOf(located, { cluster, name, said }) } }
}

export const failure = (given: string, error: unknown): Target => {
  if (error instanceof CoeError) return { given, error }
  throw error
}

/** Two contexts may lead to one cluster, and two clusters may be given one name. */
export function onlyOnce(targets: readonly Target[]): Target[] {
  const seen = new Map<string, string>()
  const names = new Map<string, string>()
  return targets.map(one => {
    if (!('ready' in one)) return one
    const { cluster, name } = one.ready
    const before = seen.get(cluster.uid)
    if (before !== undefined) {
      const hint = 'name each cluster once, by any of its contexts'
      return failure(one.given, conflict(`"${one.given}" is the same cluster as "${before}"`, { hint }))
    }
    const namesake = names.get(name)
    if (namesake !== undefined) {
      const hint = 'give one of them another with --cluster-name, in a command of its own'
      return failure(one.given, conflict(`"${one.given}" and "${namesake}" would both be called "${name}"`, { hint }))
    }
    seen.set(cluster.uid, one.given)
    names.set(name, one.given)
    return one
  })
}

const requestOf = (
  located: Located,
  { cluster, name, said }: Pick<Candidate, 'cluster' | 'name' | 'said'>,
): JoinRequest => ({
  ...statedSettings(said),
  labels: said.labels ?? {},
  name,
  member: cluster.api,
  access: cluster.access,
  uid: cluster.uid,
  extraObjects: [marker(located.record, name, located.record.host.shared)],
})
