/** Keys that a mapping has twice. The later value is used; where that affects a value in use, it is refused. */
import type { Document, Node, Pair, YAMLMap, Yaml } from './yaml-parser.ts'

export interface Repeat {
  holder: YAMLMap
  key: unknown
  offset: number
  reason: string
}

/** The repeated keys of one mapping. */
export function repeatsIn(yaml: Yaml, holder: YAMLMap, isMergeKey: (pair: Pair) => boolean): Repeat[] {
  const keys = new Set<unknown>()
  return holder.items.flatMap((pair): Repeat[] => {
    if (!yaml.isScalar(pair.key) || isMergeKey(pair)) return []
    const { value: key, range } = pair.key
    if (!keys.has(key)) {
      keys.add(key)
      return []
    }
    const what = /^[\w.-]{1,60}$/.test(String(key)) ? `the key "${key}"` : 'this key'
    return [{ holder, key, offset: range?.[0] ?? 0, reason: `${what} appears twice` }]
  })
}

/**
 * The first repeated key that affects the value at `keys`: on the path to it, inside it, or in a target of its aliases.
 * @param follow resolves an alias to its target
 */
export function repeatAt(
  yaml: Yaml,
  document: Document,
  repeats: readonly Repeat[],
  follow: (node: unknown) => unknown,
  keys: readonly (string | number)[],
): Repeat | undefined {
  const visited = new Set<Node>()

  function inside(written: unknown): Repeat | undefined {
    const node = follow(written)
    if (yaml.isPair(node)) return inside(node.value)
    if (!yaml.isCollection(node) || visited.has(node)) return undefined
    visited.add(node)
    const own = repeats.find(repeat => repeat.holder === node)
    if (own) return own
    for (const item of node.items) {
      const found = inside(item)
      if (found) return found
    }
    return undefined
  }

  let place: unknown = document.contents
  for (const key of keys) {
    const node = follow(place)
    const onPath = repeats.find(repeat => repeat.holder === node && String(repeat.key) === String(key))
    if (onPath) return onPath
    if (!yaml.isCollection(node)) return undefined
    place = yaml.isMap(node)
      ? node.items.findLast(pair => yaml.isScalar(pair.key) && String(pair.key.value) === String(key))?.value
      : node.items[Number(key)]
  }
  return inside(place)
}
