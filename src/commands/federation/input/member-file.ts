/** Reads members from files. Each is a cluster's name, or a mapping with the cluster and its settings. */
import { resolve } from 'node:path'
import type { Context } from '../../../cli/context.ts'
import { isMapping, type KeyPath } from '../../../config/yaml/yaml-file.ts'
import { parseYamlInput, readYamlInput, type YamlInput } from '../../../config/yaml/yaml-input.ts'
import { didYouMean } from '../../../core/text.ts'
import { readInput } from '../../../io/streams.ts'
import type { MemberRequest } from '../../../model/member-request.ts'
import { type MemberSetting, memberSettingNames, memberSettings } from '../../../model/member-settings.ts'

const isText = (setting: MemberSetting) => memberSettings[setting] === 'text'
const texts = ['cluster', 'name', ...memberSettingNames.filter(isText)] as const
const others = memberSettingNames.filter(setting => !isText(setting))
const known: readonly string[] = [...texts, ...others]
const readers = { text: textIn, labels: labelsIn, list: listIn }

/** Reads a list of members, or a mapping with the list under `members`, as in the description of a federation. */
export async function readMembers(context: Context, path: string): Promise<MemberRequest[]> {
  const what = 'list of members'
  const input =
    path === '-'
      ? await parseYamlInput(await readInput(context.streams.stdin), 'from standard input', what)
      : await readYamlInput(resolve(context.world.cwd, path), what)
  const { data } = input
  if (Array.isArray(data)) return membersIn(input, [])
  if (isMapping(data) && data.members !== undefined) return membersIn(input, [membersKey(data)])
  const hint = 'for example:\n- c2\n- cluster: c3\n  region: eu'
  throw input.problem([], 'a list is expected here, or a list under "members"', { hint })
}

/** In the output of "federation show -f json", `members` has only names, and `joined` also has the settings. */
export const membersKey = (data: object): 'members' | 'joined' =>
  'joined' in data && Array.isArray(data.joined) ? 'joined' : 'members'

/** The list at this place; empty if there is none. */
export function membersIn(input: YamlInput, keys: KeyPath): MemberRequest[] {
  const list = at(input.data, keys)
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw input.problem(keys, 'a list of clusters is expected here')
  const members = list.map((_, i) => memberIn(input, [...keys, i]))
  for (const [i, { cluster, name }] of members.entries()) {
    const before = members.slice(0, i)
    if (before.some(m => m.cluster === cluster))
      throw input.problem([...keys, i], `"${cluster}" is in the list already`)
    if (name !== undefined && before.some(m => m.name === name)) {
      throw input.problem([...keys, i, 'name'], `another member is named "${name}" already`)
    }
  }
  return members
}

/** The one member at this place. */
function memberIn(input: YamlInput, keys: KeyPath): MemberRequest {
  const value = at(input.data, keys)
  if (typeof value === 'string' && value !== '') return { cluster: value }
  if (!isMapping(value)) throw input.problem(keys, 'a cluster\'s name is expected here, or a mapping with "cluster"')
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const hint = didYouMean(key, known) ?? `there are: ${known.join(', ')}`
    throw input.problem([...keys, key], `a member has no "${key}"`, { hint, atKey: true })
  }
  if (value.cluster === undefined) throw input.problem(keys, 'it does not say which cluster: "cluster" is missing')
  const reads = [
    ...others.map(key => [key, readers[memberSettings[key]]] as const),
    ...texts.map(key => [key, textIn] as const),
  ]
  const stated = reads.flatMap(([key, read]) => (value[key] === undefined ? [] : [[key, read(input, [...keys, key])]]))
  return Object.fromEntries(stated)
}

export function textIn(input: YamlInput, keys: KeyPath): string {
  const value = at(input.data, keys)
  // YAML reads some words, such as "on", as booleans
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string' && value !== '') return value
  throw input.problem(keys, 'a text is expected here')
}

function labelsIn(input: YamlInput, keys: KeyPath): Record<string, string> {
  const value = at(input.data, keys)
  if (!isMapping(value)) throw input.problem(keys, 'labels are keys with values', { hint: 'labels: { tier: test }' })
  // a label may have no value
  const textOf = (key: string) => (value[key] === '' ? '' : textIn(input, [...keys, key]))
  return Object.fromEntries(Object.keys(value).map(key => [key, textOf(key)]))
}

function listIn(input: YamlInput, keys: KeyPath): string[] {
  const value = at(input.data, keys)
  if (!Array.isArray(value)) return [textIn(input, keys)]
  return value.map((_, i) => textIn(input, [...keys, i]))
}

export const at = (data: unknown, keys: KeyPath): unknown =>
  keys.reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined | null)?.[key], data)
