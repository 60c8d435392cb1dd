/** JSON from outside. The parser takes any depth; whatever walks over the value afterwards would run out of stack. */
import { withExactNumbers } from './exact-json.ts'

/** Far deeper than any answer of OpenStack or Kubernetes, and no trouble for code that calls itself. */
const deepest = 256

/**
 * Throws a SyntaxError for what is no JSON, and for what is deeper than anything real.
 * @param exact whole numbers keep all their digits, as bigints where they must: for what is shown, and not sent on
 */
export function parseBounded(text: string, exact = false): unknown {
  const value: unknown = JSON.parse(text)
  if (isDeeper(value, deepest)) throw new SyntaxError(`JSON of more than ${deepest} levels`)
  return exact ? withExactNumbers(text, value) : value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeper(item, levels - 1)) return true
    return false
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key]
    if (typeof item === 'object' && isDeeper(item, levels - 1)) return true
  }
  return false
}
