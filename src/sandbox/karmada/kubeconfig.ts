import { request } from 'node:https'
import { checkServerIdentity } from 'node:tls'
import { resolveInCluster } from '../kube/network/cluster-dns.ts'
import type { Json } from '../kube/object.ts'
import { parse } from '../kube/yaml.ts'
import { NotYet, type ProcessContext } from './process.ts'

interface Access {
  url: URL
  ca: string
  cert?: string
  key?: string
  token?: string
}

const decode = (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8')

/** Reads the files that it names from the pod, like the component. */
function readKubeconfig(text: string, file: (path: string) => string): Access {
  const config: Json = parse(text) ?? {}
  const named = (list: Json[] | undefined, name: string) => list?.find(entry => entry.name === name)
  const context = named(config.contexts, config['current-context'])?.context
  const cluster = named(config.clusters, context?.cluster)?.cluster
  const user = named(config.users, context?.user)?.user
  if (!cluster?.server)
    throw new Error(
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    )
  const part = (of: Json, name: string) =>
    decode(of?.[`${name}-data`]) ?? (of?.[name] === undefined ? undefined : file(of[name]))
  const cert = part(user, 'client-certificate')
  const key = part(user, 'client-key')
  return {
    url: new URL(cluster.server),
    ca: part(cluster, 'certificate-authority') ?? '',
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    ...(user?.token ? { token: user.token } : {}),
  }
}

/** Makes one real request with the kubeconfig that a flag names, like the component's first request. */
export async function checkKubeconfig(context: ProcessContext, flag: string): Promise<void> {
  const text = context.view.fileOf(flag)
  if (text === undefined) throw new Error(`--${flag} must be specified`)
  const access = readKubeconfig(text, context.view.file)
  const { hostname, port } = access.url
  const found = resolveInCluster(context.plane, context.network, hostname, Number(port || 443), context.namespace)
  if ('error' in found) throw new NotYet(found.error)
  const path = '/api/v1/namespaces/kube-system'
  const get = `Get "${access.url.origin}${path}"`
  const status = await ask(access, found.at, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') throw new NotYet(error.message)
    throw new Error(`${get}: tls: failed to verify certificate: x509: ${error.message}`)
  })
  if (status === 401) throw new Error(`${get}: Unauthorized`)
  if (status === 403) throw new Error(`${get}: Forbidden`)
  if (status !== 200) throw new NotYet(`${get}: status ${status}`)
}

function ask(access: Access, at: { host: string; port: number }, path: string): Promise<number> {
  const { url, ca, cert, key, token } = access
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: at.host,
        port: at.port,
        path,
        agent: false,
        ca,
        ...(cert && key ? { cert, key } : {}),
        headers: { host: url.host, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        checkServerIdentity: (_host, certificate) => checkServerIdentity(url.hostname, certificate),
      },
      answer => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.setTimeout(5000, () => sent.destroy(Object.assign(new Error('timeout'), { code: 'ECONNRESET' })))
    sent.end()
  })
}
