/** Reads a federation from a file: one that "coe federation show -f yaml" printed in standalone mode, or that the user wrote. */
import { resolve } from 'node:path'
import type { Context } from '../../../cli/context.ts'
import { isMapping, type KeyPath } from '../../../config/yaml/yaml-file.ts'
import { parseYamlInput, readYamlInput, type YamlInput } from '../../../config/yaml/yaml-input.ts'
import type { CoeError } from '../../../core/errors.ts'
import { didYouMean } from '../../../core/text.ts'
import { readInput } from '../../../io/streams.ts'
import type { Federation } from '../../../model/federation.ts'
import type { MemberRequest } from '../../../model/member-request.ts'
import { at, membersIn, membersKey, textIn } from './member-file.ts'
import type { Properties } from './properties.ts'

const texts = ['name', 'hostcluster', 'namespace', 'context_name', 'driver'] as const
const described = [...texts, 'properties', 'settings', 'members', 'joined'] as const
/** Fields of the federation that was printed, which a new one does not take over. */
const live = [
  ...['uuid', 'project_id', 'status', 'status_reason', 'driver_version', 'created_at', 'updated_at'],
  ...['api_address', 'engine_version', 'unfinished'],
]

export interface FederationFile {
  name?: string
  hostcluster?: string
  namespace?: string
  context_name?: string
  driver?: string
  properties: Properties
  settings: Readonly<Record<string, unknown>>
  members: MemberRequest[]
  problem(keys: KeyPath, reason: string, hint?: string): CoeError
}

export async function readFederation(context: Context, path: string): Promise<FederationFile> {
  const what = 'description of a federation'
  const input =
    path === '-'
      ? await parseYamlInput(await readInput(context.streams.stdin), 'from standard input', what)
      : await readYamlInput(resolve(context.world.cwd, path), what)
  const { data } = input
  if (!isMapping(data)) throw input.problem([], 'keys with values are expected here', { hint: `there are: ${all()}` })
  for (const key of Object.keys(data)) {
    if ([...described, ...live].includes(key)) continue
    const near = key.startsWith('host') ? 'did you mean "hostcluster"?' : didYouMean(key, described)
    throw input.problem([key], `a federation has no "${key}"`, { hint: near ?? `there are: ${all()}`, atKey: true })
  }
  const stated = texts.flatMap(key => (isSet(data[key]) ? [[key, textIn(input, [key])] as const] : []))
  return {
    ...(Object.fromEntries(stated) as Partial<Record<(typeof texts)[number], string>>),
    properties: propertiesIn(input),
    settings: settingsIn(input),
    members: membersIn(input, [membersKey(data)]),
    problem: (keys, reason, hint) => input.problem(keys, reason, { hint }),
  }
}

const all = (): string => described.join(', ')
const isSet = (value: unknown): boolean => value !== undefined && value !== null

function propertiesIn(input: YamlInput): Properties {
  const value = at(input.data, ['properties'])
  if (!isSet(value)) return {}
  if (!isMapping(value)) throw input.problem(['properties'], 'properties are keys with values')
  const textOf = (key: string) => (value[key] === '' ? '' : textIn(input, ['properties', key]))
  return Object.fromEntries(Object.keys(value).map(key => [key, textOf(key)]))
}

/** By the names of the driver's options. The driver checks the names and the values. */
function settingsIn(input: YamlInput): Record<string, unknown> {
  const value = at(input.data, ['settings'])
  if (!isSet(value)) return {}
  if (!isMapping(value)) throw input.problem(['settings'], 'settings are keys with values')
  const settings: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) {
    const keys = ['settings', key]
    if (!isSet(one)) continue
    if (Array.isArray(one)) settings[key] = one.map((_, i) => textIn(input, [...keys, i]))
    else settings[key] = typeof one === 'boolean' ? one : textIn(input, keys)
  }
  return settings
}

/** A member without settings is only its name. */
export const recipeMembers = ({ joined = [] }: Federation): unknown[] =>
  joined.map(m => (Object.keys(m).length === 1 ? m.cluster : m))
