/**
 * The address of a cluster's API as Magnum tells it: credentials go there, so it must be an encrypted one, unless the cluster's
 * template says that the cluster is made without TLS.
 */
import { type CoeError, failed } from '../core/errors.ts'
import type { Cluster, ClusterTemplate } from '../model/cluster.ts'
import { getTemplate } from './magnum-api/templates.ts'
import type { Service } from './service.ts'

/** Undefined where it cannot be seen: a template may be hidden from the owners of its clusters. */
export const templateOf = (service: Service, cluster: Cluster): Promise<ClusterTemplate | undefined> =>
  getTemplate(service, cluster.cluster_template_id ?? '').catch(() => undefined)

/** Needs the template only for what is not https. */
export const isHttps = (address: string): boolean => schemeOf(address) === 'https:'
export const isHttp = (address: string): boolean => schemeOf(address) === 'http:'

export function checkAddress(cluster: Cluster, address: string, template: ClusterTemplate | undefined): void {
  const scheme = schemeOf(address)
  const otherEngine = template?.coe !== undefined && template.coe !== null && template.coe !== 'kubernetes'
  if (scheme === 'https:' || (scheme === 'tcp:' && otherEngine)) return
  if (scheme !== 'http:') {
    throw refused(
      cluster,
      `Magnum gives ${JSON.stringify(address)} as the API address of cluster "${cluster.name}", and that is no https address`,
    )
  }
  if (template?.tls_disabled === true) return
  const why = template
    ? `its template "${template.name}" does not disable TLS`
    : 'whether its template disables TLS cannot be seen'
  throw refused(cluster, `the API address of cluster "${cluster.name}" is not encrypted (${address}), and ${why}`)
}

const refused = (cluster: Cluster, message: string): CoeError =>
  failed(message, {
    hint: 'nothing was sent there; ask who runs the cloud what the right address is',
    details: { cluster: cluster.uuid, api_address: cluster.api_address },
  })

/** Nothing for what is no address, or names somebody to log in as, or has what a URL drops in silence. */
function schemeOf(address: string): string | undefined {
  if (/[\s\u0000-\u001f\u007f\\]/.test(address) || !/^[a-z]+:\/\/[^/]/i.test(address)) return undefined
  try {
    const { protocol, username, password, hostname } = new URL(address)
    return hostname && !username && !password ? protocol : undefined
  } catch {
    return undefined
  }
}
