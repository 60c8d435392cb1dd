/**
 * Checks the API address that Magnum returns for a cluster. Credentials are sent there, so it must be encrypted unless
 * the cluster's template disables TLS.
 */
import { type CoeError, failed } from '../core/errors.ts'
import type { Cluster, ClusterTemplate } from '../model/cluster.ts'
import { getTemplate } from './magnum-api/templates.ts'
import type { Service } from './service.ts'

/** Undefined if it is not visible: a template may be hidden from the owners of its clusters. */
export const templateOf = (service: Service, cluster: Cluster): Promise<ClusterTemplate | undefined> =>
  getTemplate(service, cluster.cluster_template_id ?? '').catch(() => undefined)

/** If true, checkAddress needs no template. */
export const isHttps = (address: string): boolean => schemeOf(address) === 'https:'
export const isHttp = (address: string): boolean => schemeOf(address) === 'http:'

export function checkAddress(cluster: Cluster, address: string, template: ClusterTemplate | undefined): void {
  const scheme = schemeOf(address)
  const otherEngine = template?.coe !== undefined && template.coe !== null && template.coe !== 'kubernetes'
  if (scheme === 'https:' || (scheme === 'tcp:' && otherEngine)) return
  if (scheme !== 'http:') {
    throw refused(
      cluster,
      `Magnum gives ${JSON.stringify(address)} as the API address of cluster "${cluster.name}", which is not an https address`,
    )
  }
  if (template?.tls_disabled === true) return
  const why = template
    ? `its template "${template.name}" does not disable TLS`
    : 'its template is not visible, so it is unknown whether it disables TLS'
  throw refused(cluster, `the API address of cluster "${cluster.name}" is not encrypted (${address}), and ${why}`)
}

const refused = (cluster: Cluster, message: string): CoeError =>
  failed(message, {
    hint: 'nothing was sent there; ask the operator of the cloud for the right address',
    details: { cluster: cluster.uuid, api_address: cluster.api_address },
  })

/** Undefined for an invalid address, one with a user or password, and one with characters that a URL silently drops. */
function schemeOf(address: string): string | undefined {
  if (/[\s\u0000-\u001f\u007f\\]/.test(address) || !/^[a-z]+:\/\/[^/]/i.test(address)) return undefined
  try {
    const { protocol, username, password, hostname } = new URL(address)
    return hostname && !username && !password ? protocol : undefined
  } catch {
    return undefined
  }
}
