/** The options for the settings of a member, by setting. */
import { keyValues, text, texts } from '../../../cli/parse/values.ts'
import type { Values } from '../../../cli/spec.ts'
import { optionArgs, type StepArg } from '../../../core/next-step.ts'
import { type MemberSetting, memberSettingNames } from '../../../model/member-settings.ts'

const standalone = { mode: 'standalone' as const }

export const memberOptions = {
  server: text('cluster-server', 'url', 'address of its API server as the federation reaches it', standalone),
  labels: keyValues('label', 'label of the member in the federation; repeatable', standalone),
  region: text('region', 'name', 'region of the cluster', standalone),
  zones: texts('zone', 'name', 'zone of the cluster; repeatable', standalone),
  provider: text('provider', 'name', 'provider of the cluster', standalone),
} satisfies Record<MemberSetting, object>

export type MemberOptions = Values<typeof memberOptions>

/** The given options for the step that resumes: no record has them before the member's turn comes. */
export const memberArgs = (given: MemberOptions): StepArg[] =>
  memberSettingNames.flatMap(name => optionArgs(memberOptions[name].name, wordsOf(given[name])))

const wordsOf = (value: MemberOptions[MemberSetting]): string | readonly string[] | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).map(([key, one]) => `${key}=${one}`)
    : (value as string | readonly string[] | undefined)
