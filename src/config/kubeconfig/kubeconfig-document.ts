/** Sets or removes entries in the text of one kubeconfig, without changing any other line. */
import { isDeepStrictEqual } from 'node:util'
import { usage } from '../../core/errors.ts'
import { unixLines } from '../../core/text.ts'
import { isMapping, type Mapping, openYaml } from '../yaml/yaml-file.ts'
import { type Section, sections } from './kubeconfig-read.ts'
import { splice } from './kubeconfig-splice.ts'

export interface FileChange {
  readonly set: { section: Section; name: string; value: Mapping }[]
  readonly remove: { section: Section; name: string }[]
  currentContext?: string | null
}

const blank = 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n'

/** Returns the text unchanged if there is nothing to change. */
export async function applyChange(written: string, file: string, change: FileChange): Promise<string> {
  const text = unixLines(written)
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const { document, values } = await openYaml(start, file, 'kubeconfig', { edit: true })
  const data = values() ?? null
  if (data === null) return await applyChange(`${start}${blank}`, file, change) // empty, or comments alone
  if (!isMapping(data)) throw usage(`${file} is not a kubeconfig: it does not hold keys and values`)
  const wanted = changed(data, change)
  if (isDeepStrictEqual(data, wanted)) return written
  if (isJson(text)) return `${JSON.stringify(wanted, null, indentOf(text))}\n`

  const spliced = await splice(start, document, data, wanted)
  // verifies the spliced text: it must parse to exactly the wanted content
  if (spliced !== undefined) {
    const reparsed = await openYaml(spliced, file, 'kubeconfig', { edit: true }).catch(() => undefined)
    if (reparsed && isDeepStrictEqual(reparsed.values(), wanted)) return spliced
  }
  for (const key of Object.keys(wanted)) {
    if (!isDeepStrictEqual(data[key], wanted[key])) document.set(key, document.createNode(wanted[key]))
  }
  return document.toString({ lineWidth: 0 })
}

/** The content after the change. */
function changed(data: Mapping, change: FileChange): Mapping {
  const wanted: Mapping = { ...data }
  const listOf = (section: Section) => (Array.isArray(wanted[section]) ? (wanted[section] as Mapping[]) : [])
  for (const { section, name } of change.remove) {
    wanted[section] = listOf(section).filter(item => item?.name !== name)
  }
  for (const { section, name, value } of change.set) {
    const kind = sections[section]
    const list = listOf(section)
    const index = list.findIndex(item => item?.name === name)
    const old = index < 0 ? undefined : list[index]?.[kind]
    // keeps the extensions of other programs, unless the new content has its own list
    const kept = isMapping(old) && old.extensions !== undefined ? { extensions: old.extensions } : {}
    const entry = { ...(list[index] ?? {}), name, [kind]: { ...kept, ...definedOnly(value) } }
    wanted[section] = index < 0 ? [...list, entry] : list.with(index, entry)
  }
  if (change.currentContext !== undefined) wanted['current-context'] = change.currentContext ?? ''
  return wanted
}

const definedOnly = (value: Mapping): Mapping =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined && v !== null))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const indentOf = (json: string): string | undefined => /^\{\r?\n([ \t]+)/.exec(json.trim())?.[1]
