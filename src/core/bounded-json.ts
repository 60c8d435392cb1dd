/** JSON from outside. The parser takes any depth, but code that walks over a very deep value would run out of stack. */
import { withExactNumbers } from './exact-json.ts'

/** Far deeper than any answer of OpenStack or Kubernetes, and harmless to recursive code. */
const deepest = 256

/**
 * Throws a SyntaxError for invalid JSON and for JSON that is nested too deep.
 * @param exact integers keep all their digits, as bigints where needed: for values that are shown, not sent on
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
