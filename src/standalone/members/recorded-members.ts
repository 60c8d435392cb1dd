/** Members as the federation's API reports them, with the recorded ones that it does not report: it is down, or lacks them. */
import { type CoeStep, optionArgs, standaloneStep } from '../../core/next-step.ts'
import type { FederationHealth, MemberHealth } from '../../model/federation-health.ts'
import type { MemberRecord } from './member-record.ts'

/** @param working whether a run is changing the federation, and may still finish what is unfinished */
export function withRecorded(
  health: FederationHealth,
  records: readonly MemberRecord[],
  working: boolean,
  federation: string,
): FederationHealth {
  const reported = new Set(health.members?.map(member => member.name))
  const rest = records.filter(record => !reported.has(record.name))
  const why = (record: MemberRecord) =>
    health.members ? (working ? underWay : missing)[record.state] : "unknown: the federation's API does not answer"
  const healthOf = (record: MemberRecord): MemberHealth => {
    const remedy = health.members && !working ? remedyFor(record, federation) : undefined
    return { ...onRecord(record, why(record)), ...(remedy === undefined ? {} : { next: [remedy] }) }
  }
  return { ...health, members: [...(health.members ?? []), ...rest.map(healthOf)] }
}

/** Undefined for a member that joined from another machine: its reference here is not known. */
function remedyFor({ state, name, reference }: MemberRecord, federation: string): CoeStep | undefined {
  if (state === 'leaving') return standaloneStep('', 'federation unjoin', federation, name)
  if (!reference) return undefined
  const nameArgs = optionArgs('cluster-name', reference === name ? undefined : name)
  return standaloneStep('', 'federation join', federation, reference, ...nameArgs)
}

const missing: Record<MemberRecord['state'], string> = {
  joining: 'its join did not finish: join it again',
  joined: 'the federation no longer has it: join it again',
  leaving: 'its unjoin did not finish: run it again',
}

const underWay: Record<MemberRecord['state'], string> = {
  ...missing,
  joining: 'it is joining',
  leaving: 'it is leaving',
}

const onRecord = ({ name, uid, server, settings, joinedAt, state }: MemberRecord, why: string): MemberHealth => ({
  name,
  ready: null,
  reason: null,
  message: why,
  version: null,
  nodes: null,
  server: server || null,
  cluster_uid: uid || null,
  region: settings.region ?? null,
  zones: [...(settings.zones ?? [])],
  provider: settings.provider ?? null,
  labels: settings.labels ?? {},
  joined_at: joinedAt || null,
  leaving: state === 'leaving',
})
