import { Agent, request } from 'node:https'
import type { ControlPlane } from '../kube/control-plane.ts'
import type { Json, KubeObject } from '../kube/object.ts'

export interface MemberAnswer {
  status: number
  body: Json
}

/** The control plane's client of a member: its endpoint, with the credentials in the Cluster's Secret. */
export interface MemberClient {
  /** Rejects if there is no answer. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<MemberAnswer>
  close(): void
}

const decode = (text: string | undefined) => (text === undefined ? '' : Buffer.from(text, 'base64').toString('utf8'))

/** The client of a Cluster, or the reason why there is none. */
export function memberClient(
  plane: ControlPlane,
  cluster: KubeObject,
  impersonator = false,
): MemberClient | { error: string } {
  const { apiEndpoint, secretRef, impersonatorSecretRef, insecureSkipTLSVerification } = cluster.spec
  const name = cluster.metadata.name
  const reference = impersonator ? impersonatorSecretRef : secretRef
  if (!apiEndpoint) return { error: `the api endpoint of cluster ${name} is empty` }
  if (!reference) return { error: `cluster ${name} does not have a secret` }
  const secret = plane.store.get('secrets', reference.namespace, reference.name)
  if (!secret) return { error: `secrets "${reference.name}" not found` }
  const token = decode(secret.data?.token)
  if (!token) return { error: `the secret for cluster ${name} is missing a non-empty value for "token"` }
  const ca = decode(plane.store.get('secrets', secretRef?.namespace, secretRef?.name ?? '')?.data?.caBundle)
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 2,
    ...(insecureSkipTLSVerification ? { rejectUnauthorized: false } : { ca }),
  })
  return {
    call: (method, path, body, headers) => send(agent, new URL(apiEndpoint), token, method, path, body, headers),
    close: () => agent.destroy(),
  }
}

function send(
  agent: Agent,
  base: URL,
  token: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<MemberAnswer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(base.pathname.replace(/\/$/, '') + path, base),
      {
        method,
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'user-agent': 'karmada-controller-manager/sandbox',
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        },
      },
      answer => {
        const chunks: Buffer[] = []
        answer.on('data', chunk => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8')
          let parsed: Json = received
          if (/json/.test(answer.headers['content-type'] ?? '')) {
            try {
              parsed = JSON.parse(received)
            } catch {
              // stays text
            }
          }
          resolve({ status: answer.statusCode ?? 0, body: parsed })
        })
      },
    )
    sent.setTimeout(3000, () => sent.destroy(new Error('context deadline exceeded')))
    sent.on('error', reject)
    sent.end(text)
  })
}
