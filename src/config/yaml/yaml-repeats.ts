/** Keys that a mapping has twice: the later one holds, and where that matters to somebody it is refused. */
import type { Document, Node, Pair, YAMLMap, Yaml } from './yaml-parser.ts'

export interface Repeat {
  holder: YAMLMap
  key: unknown
  offset: number
  reason: string
}

/** Of a mapping that is read at this moment. */
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
    return [{ holder, key, offset: range?.[0] ?? 0, reason: `${what} is there twice` }]
  })
}

/**
 * The first repeated key that has a say in what `keys` lead to: on the way there, inside of it, or in what its aliases name.
 * @param follow an alias → what it names
 */
export function repeatAt(
  yaml: Yaml,
  document: Document,
  repeats: readonly Repeat[],
  follow: (node: unknown) => unknown,
  keys: readonly (string | number)[],
): Repeat | undefined {
  const looked = new Set<Node>()

  function inside(written: unknown): Repeat | undefined {
    const node = follow(written)
    if (yaml.isPair(node)) return inside(node.value)
    if (!yaml.isCollection(node) || looked.has(node)) return undefined
    looked.add(node)
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
    const onTheWay = repeats.find(repeat => repeat.holder === node && String(repeat.key) === String(key))
    if (onTheWay) return onTheWay
    if (!yaml.isCollection(node)) return undefined
    place = yaml.isMap(node)
      ? node.items.findLast(pair => yaml.isScalar(pair.key) && String(pair.key.value) === String(key))?.value
      : node.items[Number(key)]
  }
  return inside(place)
}
