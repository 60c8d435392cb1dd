/** What a run sent, read from its own --trace: the requests that change something, with their bodies. */
export interface Sent {
  method: string
  /** Below /v1. */
  path: string
  version: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export function changesSent(trace: string): Sent[] {
  const lines = trace.split('\n')
  return lines.flatMap((line, i) => {
    const [, method, url, headers] = /^→ (POST|PATCH|PUT|DELETE) (\S+) (\{.*\})$/.exec(line) ?? []
    if (method === undefined || url === undefined || !url.includes('/v1/')) return []
    const next = lines[i + 1] ?? ''
    const body = /^→ [[{"]/.test(next) ? JSON.parse(next.slice(2)) : undefined
    const version = (JSON.parse(headers as string) as Record<string, string>)['openstack-api-version']?.split(' ')[1]
    return [{ method, path: url.replace(/^.*\/v1/, ''), version, body }]
  })
}
