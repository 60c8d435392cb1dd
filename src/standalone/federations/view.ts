import type { Federation } from '../../model/federation.ts'
import type { MemberRequest } from '../../model/member-request.ts'
import type { MemberRecord } from '../members/member-record.ts'
import type { FederationRecord } from '../records/record.ts'
import { endingText } from './ending.ts'
import { standing } from './history.ts'
import { unfinishedChanges } from './unfinished.ts'

export function federationOf(record: FederationRecord, members: readonly MemberRecord[], working: boolean): Federation {
  const { status, reason } = record.ending
    ? { status: 'DELETE_IN_PROGRESS', reason: endingText(record.namespace, record.ending) }
    : standing(record.history, record.state, working)
  return {
    uuid: record.uuid,
    name: record.name,
    project_id: null,
    hostcluster_id: record.host.uid || null,
    hostcluster_name: record.host.reference || null,
    member_ids: members.map(m => m.uid),
    member_names: members.map(m => m.name),
    status,
    status_reason: reason,
    properties: record.properties,
    driver: record.driver,
    driver_version: record.driverVersion,
    settings: record.settings,
    namespace: record.namespace,
    context_name: record.contextName,
    unfinished: working ? [] : unfinishedChanges(record, members),
    joined: members.filter(m => m.state !== 'leaving').map(member => memberRequest(member)),
    created_at: record.createdAt || null,
    updated_at: record.updatedAt,
  }
}

const memberRequest = ({ name, reference, settings }: MemberRecord, cluster = reference || name): MemberRequest => ({
  cluster,
  ...(name === cluster ? {} : { name }),
  ...settings,
})
