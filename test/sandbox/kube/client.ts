/** A plain HTTPS client, independent of coe's own. */
import { Agent, request } from 'node:https'
import { poll } from '../../../src/core/poll.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { Credentials } from '../../../src/sandbox/kube/access/authority.ts'
import type { KubeCluster } from '../../../src/sandbox/kube/cluster.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: each test reads its own fields of an answer
  body: any
}

export interface Target {
  url: string
  ca: string
  credentials?: Credentials | { token: string } | undefined
}

export type Client = ReturnType<typeof clientOf>

export function clientOf({ url, ca, credentials }: Target) {
  const agent = new Agent({ keepAlive: true })
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const call = request(
        new URL(path, url),
        {
          method,
          ca,
          agent,
          ...(credentials && 'key' in credentials ? { cert: credentials.certificate, key: credentials.key } : {}),
          headers: {
            'user-agent': 'tester/1.0',
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
            ...(credentials && 'token' in credentials ? { authorization: `Bearer ${credentials.token}` } : {}),
            ...headers,
          },
        },
        answer => {
          const chunks: Buffer[] = []
          answer.on('data', chunk => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const received = Buffer.concat(chunks).toString()
            const isJson = (answer.headers['content-type'] ?? '').includes('json') && !path.includes('watch=1')
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: isJson && received ? JSON.parse(received) : received,
            })
          })
        },
      )
      call.on('error', reject)
      call.end(text)
    })
  return {
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown) => send('POST', path, body),
    put: (path: string, body: unknown) => send('PUT', path, body),
    del: (path: string, body?: unknown) => send('DELETE', path, body),
    patch: (path: string, kind: 'merge' | 'json' | 'strategic-merge', body: unknown) =>
      send('PATCH', path, body, { 'content-type': `application/${kind}-patch+json` }),
    apply: (path: string, body: unknown, query = 'fieldManager=coe') =>
      send('PATCH', `${path}?${query}`, body, { 'content-type': 'application/apply-patch+yaml' }),
    /** The object once it is `good`. */
    async until(path: string, good: (reply: Reply) => boolean): Promise<Reply> {
      let last: Reply | undefined
      return poll(
        async () => {
          last = await send('GET', path)
          return good(last) ? last : undefined
        },
        {
          clock: systemClock,
          timeoutMs: 60_000,
          intervalMs: 10,
          maxIntervalMs: 50,
          what: path,
          lastSeen: () => JSON.stringify(last?.body?.status ?? last?.body),
        },
      )
    },
  }
}

export async function adminOf(cluster: KubeCluster): Promise<Client> {
  const credentials = await cluster.clientCertificate('admin', ['system:masters'])
  return clientOf({ url: cluster.url, ca: cluster.caCertificate, credentials })
}

export const tokenClient = (cluster: KubeCluster, token: string): Client =>
  clientOf({ url: cluster.url, ca: cluster.caCertificate, credentials: { token } })

export const anonymous = (cluster: KubeCluster): Client => clientOf({ url: cluster.url, ca: cluster.caCertificate })

export const condition = (
  reply: Reply,
  type: string,
): { status: string; reason: string; message: string } | undefined =>
  reply.body?.status?.conditions?.find((c: { type: string }) => c.type === type)

export const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
export const configMap = (name: string, data: Record<string, string>, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})
export const deployment = (name: string, replicas: number, image = 'web:1', more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image }] } },
    ...more,
  },
})
