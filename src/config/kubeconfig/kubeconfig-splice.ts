/**
 * Changes a YAML text by removing and inserting complete entries. A YAML library that parses and prints a file loses
 * details (`012` becomes 12, comments move); splicing never touches the bytes of other entries.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Mapping } from '../yaml/yaml-file.ts'
import { type Document, loadYaml, type Pair, type YAMLMap, type YAMLSeq, type Yaml } from '../yaml/yaml-parser.ts'

interface Cut {
  from: number
  to: number
  text: string
}

/** Undefined for styles that it does not support: flow style, anchors, unusual dashes. */
export async function splice(
  text: string,
  document: Document,
  data: Mapping,
  wanted: Mapping,
): Promise<string | undefined> {
  const yaml = await loadYaml()
  const root = document.contents
  if (!yaml.isMap(root) || root.flow || /^\.\.\./m.test(text)) return undefined
  const cuts: Cut[] = []
  for (const [key, value] of Object.entries(wanted)) {
    if (isDeepStrictEqual(data[key], value)) continue
    const pair = (root as YAMLMap).items.find(p => yaml.isScalar(p.key) && p.key.value === key)
    const made = sectionCuts(yaml, text, pair, key, data[key], value)
    if (!made) return undefined
    cuts.push(...made)
  }
  let result = text
  // from the end, so that earlier offsets stay valid; of two cuts at one offset, the first made comes first
  for (const { cut } of cuts
    .map((cut, order) => ({ cut, order }))
    .sort((a, b) => b.cut.from - a.cut.from || b.order - a.order)) {
    const piece = text.includes('\r\n') ? cut.text.replaceAll('\n', '\r\n') : cut.text
    result = result.slice(0, cut.from) + piece + result.slice(cut.to)
  }
  return result
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1
/** The offset after the line with the last character before `offset`. */
const lineEnd = (text: string, offset: number): number => text.indexOf('\n', offset - 1) + 1 || text.length

function sectionCuts(
  yaml: Yaml,
  text: string,
  pair: Pair | undefined,
  key: string,
  before: unknown,
  after: unknown,
): Cut[] | undefined {
  if (!pair) return [{ from: text.length, to: text.length, text: print(yaml, { [key]: after }) }]
  const keyAt = (pair.key as { range?: [number, number, number] }).range?.[0]
  const node = pair.value as { range?: [number, number, number] | null; flow?: boolean } | null
  if (keyAt === undefined || lineStart(text, keyAt) !== keyAt) return undefined
  const section = { from: keyAt, to: lineEnd(text, node?.range?.[1] || keyAt + 1), text: print(yaml, { [key]: after }) }
  const wasEmpty = before === null || before === undefined || (Array.isArray(before) && before.length === 0)
  if (!Array.isArray(after) || after.length === 0 || wasEmpty) return [section]
  if (!yaml.isSeq(node) || node.flow || !Array.isArray(before)) return undefined
  return itemCuts(yaml, text, node as YAMLSeq<YAMLMap>, before as Mapping[], after as Mapping[])
}

/** Entries keep their order, so walking both lists by name finds the remaining ones. */
function itemCuts(
  yaml: Yaml,
  text: string,
  list: YAMLSeq<YAMLMap>,
  before: readonly Mapping[],
  after: readonly Mapping[],
): Cut[] | undefined {
  const cuts: Cut[] = []
  let indent = ''
  let end = 0
  let next = 0
  for (const [index, item] of list.items.entries()) {
    const range = item?.range
    if (!range) return undefined
    const from = lineStart(text, range[0])
    const dash = /^( *)- /.exec(text.slice(from, range[0]))
    if (!dash) return undefined
    indent = dash[1] as string
    end = lineEnd(text, range[1])
    const entry = after[next]
    if (entry?.name !== before[index]?.name) cuts.push({ from, to: end, text: '' })
    else {
      next++
      if (!isDeepStrictEqual(entry, before[index]))
        cuts.push({ from, to: end, text: printItem(yaml, entry as Mapping, indent) })
    }
  }
  for (const entry of after.slice(next)) cuts.push({ from: end, to: end, text: printItem(yaml, entry, indent) })
  return cuts
}

/** Prints like kubectl: lists not indented, keys sorted. Quotes text that YAML 1.1 would read as a number or boolean. */
const print = (yaml: Yaml, value: unknown): string =>
  yaml.stringify(value, { lineWidth: 0, indentSeq: false, compat: 'yaml-1.1', sortMapEntries: true })

const printItem = (yaml: Yaml, item: Mapping, indent: string): string => print(yaml, [item]).replace(/^(?=.)/gm, indent)
