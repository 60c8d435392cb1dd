/** The unfinished changes of a federation: from the intent in its record, or from its state if an older coe wrote the record. */
import type { UnfinishedChange } from '../../model/federation.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { type Intent, kept, type MemberIntent, type UnjoinIntent } from '../records/intent.ts'
import type { FederationRecord } from '../records/record.ts'

export function unfinishedIntent(record: FederationRecord, members: readonly MemberRecord[]): Intent | undefined {
  const { intent = {} } = record
  if (isToGo(record)) return { delete: intent.delete ?? { unjoin: false, keepData: false } }
  const create = intent.create ?? (record.state === 'creating' ? bareCreation(record) : undefined)
  const known = new Set([...(intent.join ?? []), ...(intent.unjoin ?? [])].map(one => one.name))
  const others = members.filter(member => !known.has(member.name))
  return kept({
    ...intent,
    ...(create ? { create } : {}),
    join: [...(intent.join ?? []), ...others.filter(m => m.state === 'joining').map(joining)],
    unjoin: [...(intent.unjoin ?? []), ...others.filter(m => m.state === 'leaving').map(leaving)],
  })
}

/** Whether it is to be deleted, which makes all other intents void. */
function isToGo({ intent, ending, history }: FederationRecord): boolean {
  if (ending || intent?.delete) return true
  // an older coe writes no intent
  const last = history.at(-1)
  return !intent && last?.verb === 'delete' && last.result !== 'done'
}

const bareCreation = ({ settings, properties }: FederationRecord): Intent['create'] => ({
  settings,
  properties,
  options: {},
  notKept: [],
  adopt: false,
})

const joining = ({ name, uid, server, reference, settings }: MemberRecord): MemberIntent => ({
  name,
  uid,
  server,
  ...(reference === '' ? {} : { reference }),
  settings,
})

const leaving = ({ name }: MemberRecord): UnjoinIntent => ({ name, workloads: 'keep', force: false })

export function unfinishedChanges(record: FederationRecord, members: readonly MemberRecord[]): UnfinishedChange[] {
  const { create, update, join, unjoin, ...intent } = unfinishedIntent(record, members) ?? {}
  if (intent.delete) return [{ verb: 'delete', deletes: true }]
  return [
    ...(create ? [{ verb: 'create' as const }] : []),
    ...(update ? [{ verb: 'update' as const }] : []),
    ...(unjoin?.length
      ? [
          {
            verb: 'unjoin' as const,
            members: unjoin.map(one => one.name),
            ...(unjoin.some(isSevere) ? { deletes: true } : {}),
          },
        ]
      : []),
    ...(join?.length ? [{ verb: 'join' as const, members: join.map(one => one.name) }] : []),
  ]
}

/** Whether resuming the unjoin needs a confirmation, as the unjoin itself did. */
const isSevere = ({ force, workloads }: UnjoinIntent): boolean => force || workloads === 'delete'
