/** Edit distance with transpositions, bounded: any distance over `most` counts as `most + 1`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let previous: number[] = []
  let current = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const before = previous
    previous = current
    current = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(
        (previous[j] as number) + 1,
        (current[j - 1] as number) + 1,
        (previous[j - 1] as number) + cost,
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] as number) + 1)
      }
      current[j] = best
    }
  }
  return current[b.length] as number
}

/** The candidates that the user may have meant by `word`, best first, at most three. */
function suggest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.toLowerCase()
  const most = wanted.length <= 3 ? 1 : wanted.length <= 6 ? 2 : 3
  const ranked: { candidate: string; score: number }[] = []
  for (const candidate of new Set(candidates)) {
    const low = candidate.toLowerCase()
    let score = distance(wanted, low, most)
    if (score > most && wanted.length >= 2 && low.startsWith(wanted)) score = most
    if (score <= most) ranked.push({ candidate, score })
  }
  ranked.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
  const best = ranked[0]?.score ?? 0
  return ranked
    .filter(r => r.score <= best + 1)
    .slice(0, 3)
    .map(r => r.candidate)
}

/** `did you mean "c1"?`, or undefined if no candidate is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const near = suggest(word, candidates)
  return near.length ? `did you mean ${near.map(n => `"${n}"`).join(' or ')}?` : undefined
}

const most = 5

/** Names for a hint: all of up to five, else the number and the first few. */
export function someOf(names: readonly string[], one?: string, many?: string): string {
  if (names.length <= most) return names.join(', ')
  const count = one === undefined ? names.length : plural(names.length, one, many)
  return `${count} (${names.slice(0, most - 2).join(', ')}, …)`
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** Breaks text at spaces so that no line is longer than `width`, except for a single longer word. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line && line.length + 1 + word.length > width - indent.length) {
        lines.push(line)
        line = word
      } else line = line ? `${line} ${word}` : word
    }
    lines.push(line)
  }
  return lines.map(l => (l ? indent + l : l)).join('\n')
}

/** Turns lone carriage returns, which YAML and old editors use as line ends, into line feeds. Offsets stay the same. */
export const unixLines = (text: string): string => text.replace(/\r(?!\n)/g, '\n')
