/**
 * Settings of a member. To add one, extend the interface and the table below: the record's codec, files of members, `show` and
 * the step that resumes a join follow from them. A new setting also needs an option
 * (commands/federation/input/member-options.ts) and its use in the engine (templates/membership.ts of the driver).
 */
import { list, object, record, type Shape, text } from '../core/shape.ts'

export interface MemberSettings {
  /** The address at which the federation reaches its API server, if it differs from the context's. */
  server?: string | undefined
  labels?: Readonly<Record<string, string>> | undefined
  region?: string | undefined
  zones?: readonly string[] | undefined
  provider?: string | undefined
}

export type MemberSetting = keyof MemberSettings

type FormOf<T> = T extends string ? 'text' : T extends readonly string[] ? 'list' : 'labels'

/** The form of each setting, in the order of records. */
export const memberSettings: { readonly [K in MemberSetting]-?: FormOf<NonNullable<MemberSettings[K]>> } = {
  server: 'text',
  labels: 'labels',
  region: 'text',
  zones: 'list',
  provider: 'text',
}

export const memberSettingNames = Object.keys(memberSettings) as MemberSetting[]

/** Picks the settings that have a value. An empty list and empty labels count as none. */
export function statedSettings(from: MemberSettings): MemberSettings {
  const stated = memberSettingNames.filter(name => {
    const value = from[name]
    return typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined
  })
  return Object.fromEntries(stated.map(name => [name, from[name]]))
}

/** Settings that `now` lacks keep their value; labels are merged. */
export function withSettings(before: MemberSettings, now: MemberSettings): MemberSettings {
  const stated = statedSettings(now)
  const merged = { ...before, ...stated }
  return stated.labels ? { ...merged, labels: { ...before.labels, ...stated.labels } } : merged
}

const shapes: Record<'text' | 'labels' | 'list', Shape> = { text, labels: record(text), list: list(text) }

/** Their form in a record. */
export const memberSettingsShape: Shape = object(
  {},
  Object.fromEntries(memberSettingNames.map(name => [name, shapes[memberSettings[name]]])),
)
