/** Members as the federation's API sees them, and those on record of which it says nothing: it is down, or lacks them. */
import { type CoeStep, optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { FederationHealth, MemberHealth } from '../../model/federation-health.ts'
import type { MemberRecord } from './member-record.ts'

/** @param working a run is at work on the federation: what is not finished is on its way */
export function withRecorded(
  health: FederationHealth,
  records: readonly MemberRecord[],
  working: boolean,
  federation: string,
): FederationHealth {
  const seen = new Set(health.members?.map(member => member.name))
  const rest = records.filter(record => !seen.has(record.name))
  const why = (record: MemberRecord) =>
    health.members ? (working ? underWay : missing)[record.state] : "the federation's API does not tell"
  const shown = (record: MemberRecord): MemberHealth => {
    const remedy = health.members && !working ? remedyFor(record, federation) : undefined
    return { ...onRecord(record, why(record)), ...(remedy === undefined ? {} : { next: [remedy] }) }
  }
  return { ...health, members: [...(health.members ?? []), ...rest.map(shown)] }
}

/** Undefined for one that joined from a context of another machine: what it is called here is not known. */
function remedyFor({ state, name, reference }: MemberRecord, federation: string): CoeStep | undefined {
  if (state === 'leaving') return standaloneStep('', 'federation unjoin', federation, name)
  if (!reference) return undefined
  const called = optionArgs('cluster-name', reference === name ? undefined : name)
  return standaloneStep('', 'federation join', federation, reference, ...called)
}

const missing: Record<MemberRecord['state'], string> = {
  joining: 'its join was not finished: join it again',
  joined: 'the federation does not have it any more: join it again',
  leaving: 'its unjoin was not finished: run it again',
}

const underWay: Record<MemberRecord['state'], string> = {
  ...missing,
  joining: 'it is joining',
  leaving: 'it is leaving',
}

const onRecord = ({ name, uid, server, said, joinedAt, state }: MemberRecord, why: string): MemberHealth => ({
  name,
  ready: null,
  reason: null,
  message: why,
  version: null,
  nodes: null,
  server: server || null,
  cluster_uid: uid || null,
  region: said.region ?? null,
  zones: [...(said.zones ?? [])],
  provider: said.provider ?? null,
  labels: said.labels ?? {},
  joined_at: joinedAt || null,
  leaving: state === 'leaving',
})
