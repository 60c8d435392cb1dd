/** Does the live object contain everything that was sent? Servers add fields (defaults, status) but remove none. */
export function contains(live: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) {
    return Array.isArray(live) && sent.length === live.length && sent.every((item, i) => contains(live[i], item))
  }
  if (sent !== null && typeof sent === 'object') {
    if (live === null || typeof live !== 'object') return Object.keys(sent).length === 0
    return Object.entries(sent).every(
      ([key, value]) => value === undefined || contains((live as Record<string, unknown>)[key], value),
    )
  }
  return live === sent
}
