/** Is all that was sent in there? The server adds (defaults, status); it takes nothing away. */
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
