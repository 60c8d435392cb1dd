/** YAML (or JSON) input of one run. Both broken syntax and wrong values are reported with their position. */
import { type CoeError, usage } from '../../core/errors.ts'
import { readUtf8 } from '../../core/utf8.ts'
import { excerptOf } from './excerpt.ts'
import { type KeyPath, keyNode, openYaml, type Ranged, unreadable } from './yaml-file.ts'

export interface YamlInput {
  /** Mappings and lists of text (numbers too), true, false and null. */
  readonly data: unknown
  /** An error about the value at these keys. `atKey` puts the caret under the key rather than its value. */
  problem(keys: KeyPath, reason: string, options?: { hint?: string | undefined; atKey?: boolean }): CoeError
}

export async function readYamlInput(path: string, what: string): Promise<YamlInput> {
  let text: string
  try {
    text = await readUtf8(path, what)
  } catch (error) {
    throw unreadable(path, what, error)
  }
  return parseYamlInput(text, path, what)
}

/** @param name of the file in errors: its path, or `from standard input` */
export async function parseYamlInput(text: string, name: string, what: string): Promise<YamlInput> {
  const { document, placeAt, values } = await openYaml(text, name, what)
  return {
    data: values(),
    problem(keys, reason, { hint, atKey = false } = {}) {
      const value = keys.length ? document.getIn(keys, true) : document.contents
      const node = (atKey ? keyNode(document, keys) : (value ?? keyNode(document, keys))) as Ranged | undefined
      const { line, col } = placeAt(node?.range?.[0] ?? 0)
      return usage(
        `cannot read the ${what} ${name}, line ${line}, column ${col}: ${reason}\n${excerptOf(text, line, col)}`,
        { hint, details: { file: name, line, column: col } },
      )
    },
  }
}
