/**
 * What can be stated of a member when it joins. The interface and the table are all that is to be extended for another setting: the
 * record's codec, files of members, `show` and the step that resumes a join follow. Beside them, a new one has its option
 * (commands/federation/input/member-options.ts) and what the engine makes of it (templates/membership.ts of the driver).
 */
import { list, object, record, type Shape, text } from '../core/shape.ts'

export interface MemberSettings {
  /** The address of its API server as the federation sees it, where it is another than in the access. */
  server?: string | undefined
  labels?: Readonly<Record<string, string>> | undefined
  region?: string | undefined
  zones?: readonly string[] | undefined
  provider?: string | undefined
}

export type MemberSetting = keyof MemberSettings

type FormOf<T> = T extends string ? 'text' : T extends readonly string[] ? 'list' : 'labels'

/** How each is written, in the order in which records have them. */
export const memberSettings: { readonly [K in MemberSetting]-?: FormOf<NonNullable<MemberSettings[K]>> } = {
  server: 'text',
  labels: 'labels',
  region: 'text',
  zones: 'list',
  provider: 'text',
}

export const memberSettingNames = Object.keys(memberSettings) as MemberSetting[]

/** Those that are stated, out of whatever else has them: an empty list or no label states nothing. */
export function statedSettings(from: MemberSettings): MemberSettings {
  const stated = memberSettingNames.filter(name => {
    const value = from[name]
    return typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined
  })
  return Object.fromEntries(stated.map(name => [name, from[name]]))
}

/** What is not stated again stays as it was; labels are added to those there were. */
export function withSettings(before: MemberSettings, now: MemberSettings): MemberSettings {
  const stated = statedSettings(now)
  const merged = { ...before, ...stated }
  return stated.labels ? { ...merged, labels: { ...before.labels, ...stated.labels } } : merged
}

const shapes: Record<'text' | 'labels' | 'list', Shape> = { text, labels: record(text), list: list(text) }

/** As a record has them. */
export const memberSettingsShape: Shape = object(
  {},
  Object.fromEntries(memberSettingNames.map(name => [name, shapes[memberSettings[name]]])),
)
