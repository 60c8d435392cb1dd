/**
 * The widths at which a table fits its terminal, by the stock client's rule: columns narrower than an even share keep
 * their width, the others share the rest. None gets less than `least`, because a table that is too wide is easier to
 * read than one of single letters.
 */
export function fitWidths(natural: readonly number[], available: number, least: number): number[] {
  const count = natural.length
  const total = natural.reduce((sum, width) => sum + width + 3, 1)
  if (total <= available) return [...natural]
  const usable = Math.max(0, available - 1 - 3 * count)
  const share = Math.floor(usable / count)
  const large = natural.flatMap((width, index) => (width > share ? [index] : []))
  const rest = natural.reduce((left, width) => (width > share ? left : left - width), usable)
  const each = Math.floor(rest / large.length)
  const widths = [...natural]
  for (const index of large) {
    const width = index === large.at(-1) ? rest - each * (large.length - 1) : each
    widths[index] = Math.min(natural[index] as number, Math.max(least, width))
  }
  return widths
}
