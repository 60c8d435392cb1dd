/**
 * The values of a YAML document with its aliases followed. The library limits the number of aliases, so that a hundred
 * clouds with `<<: *defaults` look like an attack; coe limits the number of values after expansion instead.
 */
import type { CoeError } from '../../core/errors.ts'
import { switchValue } from './plain-yaml.ts'
import type { Alias, Document, Node, Pair, YAMLMap, Yaml } from './yaml-parser.ts'
import { type Repeat, repeatAt, repeatsIn } from './yaml-repeats.ts'

/** Tens of thousands of clouds or contexts stay below it; a malicious document exceeds it within a few lines. */
const mostValues = 1_000_000

export interface ValueReading {
  yaml: Yaml
  document: Document
  /** Whether `<<` keys are merged rather than kept as written. */
  merge: boolean
  /** Keys whose plain `yes`, `no`, `on` and `off` are booleans, as in YAML 1.1. */
  switches: readonly string[]
  /** Makes an error at this offset. */
  problem(offset: number, reason: string): CoeError
}

export interface Values {
  data: unknown
  repeats: readonly Repeat[]
  /** The repeated key that affects the value at these keys. */
  repeatAt(keys: readonly (string | number)[]): Repeat | undefined
}

export function valuesOf(reading: ValueReading): Values {
  const { yaml, document } = reading
  const { repeats, targets } = check(reading)
  const follow = (node: unknown) => (yaml.isAlias(node) ? targets.get(node) : node)
  return {
    data: document.toJS({ maxAliasCount: -1 }),
    repeats,
    repeatAt: keys => (repeats.length ? repeatAt(yaml, document, repeats, follow, keys) : undefined),
  }
}

interface Checked {
  repeats: Repeat[]
  /** The target of each alias. */
  targets: Map<Alias, Node>
}

/**
 * Counts the values after expansion. Counts each anchor once, so that the time depends on the length of the file, not
 * of its expansion. Also collects repeated keys, because the library compares each key with all others, which takes
 * seconds for some thousand clouds.
 */
function check({ yaml, document, merge, switches, problem }: ValueReading): Checked {
  const repeats: Repeat[] = []
  const targets = new Map<Alias, Node>()
  const anchors = new Map<string, Node>()
  const sizes = new Map<Node, number>()
  let largest: { alias: Alias; values: number } | undefined

  const offsetOf = (node: unknown): number => (node as Partial<Node> | null)?.range?.[0] ?? 0

  function ofAlias(alias: Alias): number {
    const target = anchors.get(alias.source)
    if (!target) {
      throw problem(offsetOf(alias), 'a "*" begins an alias here, and there is no anchor of its name above it')
    }
    const values = sizes.get(target)
    if (values === undefined) {
      throw problem(offsetOf(alias), 'this alias is inside the value that it refers to, which would never end')
    }
    targets.set(alias, target)
    if (values > (largest?.values ?? 0)) largest = { alias, values }
    return values
  }

  function ofPair(pair: Pair): number {
    if (merge && isMergeKey(pair)) checkMerged(pair.value)
    if (switches.length) readSwitch(pair)
    return sizeOf(pair.key) + sizeOf(pair.value)
  }

  function sizeOf(node: unknown): number {
    if (yaml.isAlias(node)) return ofAlias(node)
    if (yaml.isPair(node)) return ofPair(node)
    if (!yaml.isNode(node)) return 1 // a key without a value
    if (!yaml.isCollection(node)) return remember(node, 1)
    if (node.anchor) anchors.set(node.anchor, node) // set before the content, which may refer to it by mistake
    if (yaml.isMap(node)) repeats.push(...repeatsIn(yaml, node, isMergeKey))
    const values = (node.items as unknown[]).reduce((sum: number, item) => sum + sizeOf(item), 1)
    return remember(node, values)
  }

  function readSwitch({ key, value }: Pair): void {
    if (!yaml.isScalar(key) || !switches.includes(String(key.value).replaceAll('-', '_'))) return
    if (!yaml.isScalar(value) || value.type !== 'PLAIN') return
    value.value = switchValue(value.value) ?? value.value
  }

  function remember(node: Node, values: number): number {
    const { anchor } = node as { anchor?: string }
    if (anchor) {
      anchors.set(anchor, node)
      sizes.set(node, values)
    }
    return values
  }

  const isMergeKey = ({ key }: Pair): boolean =>
    yaml.isScalar(key) && (key.value === '<<' || (key.value as { description?: string } | null)?.description === '<<')

  /** One mapping, or a list of them. */
  function checkMerged(value: unknown): void {
    const followed = follow(value)
    for (const item of yaml.isSeq(followed) ? followed.items : [value]) {
      if (yaml.isMap(follow(item))) continue
      throw problem(offsetOf(yaml.isAlias(value) ? value : item), '"<<" must merge a mapping, or a list of mappings')
    }
  }

  function follow(value: unknown): YAMLMap | unknown {
    if (!yaml.isAlias(value)) return value
    ofAlias(value)
    return anchors.get(value.source)
  }

  const total = sizeOf(document.contents)
  if (total > mostValues && largest) {
    throw problem(
      offsetOf(largest.alias),
      `with its aliases expanded, this file would grow to ${inWords(total)} values, more than the limit of ${inWords(mostValues)}; ` +
        `this alias alone stands for ${inWords(largest.values)}`,
    )
  }
  return { repeats, targets }
}

const inWords = (count: number): string =>
  count > 1e12 ? 'more than a trillion' : count.toLocaleString('en-US', { maximumFractionDigits: 0 })
