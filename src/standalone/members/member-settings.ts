/** What is stated of a member. */
import type { MemberRequest } from '../../model/member-request.ts'
import type { MemberRecord, MemberSettings } from './member-record.ts'

/** What is not said again stays as it was said before. */
export function settingsOf(request: MemberRequest, known: MemberRecord | undefined): MemberSettings {
  const { server, labels, region, zones, provider } = request
  return {
    ...known?.said,
    ...(server === undefined ? {} : { server }),
    ...(labels && Object.keys(labels).length ? { labels: { ...known?.said.labels, ...labels } } : {}),
    ...(region === undefined ? {} : { region }),
    ...(zones?.length ? { zones } : {}),
    ...(provider === undefined ? {} : { provider }),
  }
}
