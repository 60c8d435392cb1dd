/** What must never be printed: what the driver told coe, and the keys and tokens in the Secrets that it made. */
import type { KubeObject } from '../../kube/api/object.ts'

/** Shorter ones are words that stand anywhere. */
const shortest = 12

const isSecret = (key: string, text: string): boolean =>
  text.includes('PRIVATE KEY') || (/token|password|(^|[.-])key$/i.test(key) && !text.includes('BEGIN CERTIFICATE'))

export function valuesOf(secrets: readonly KubeObject[]): string[] {
  return secrets.flatMap(({ data }) =>
    Object.entries((data ?? {}) as Record<string, string>).flatMap(([key, encoded]) => {
      const text = Buffer.from(encoded, 'base64').toString('utf8')
      return isSecret(key, text) ? [text, encoded] : []
    }),
  )
}

/** The first words of one that was printed, so that it can be found: not the rest of it. */
export function leakIn(printed: readonly string[], secrets: Iterable<string>): string | undefined {
  const all = printed.join('\n')
  for (const secret of secrets) {
    const text = secret.trim()
    if (text.length >= shortest && (all.includes(text) || all.includes(JSON.stringify(text).slice(1, -1)))) {
      return `${text.slice(0, 8)}…`
    }
  }
  return undefined
}
