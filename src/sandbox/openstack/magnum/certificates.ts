import { type Answer, json } from '../../http.ts'
import { authorityOf, validity } from './authorities.ts'
import { readBody } from './body.ts'
import * as conductor from './clusters/conductor.ts'
import { type Call, findCluster, has } from './context.ts'
import { readFields } from './fields.ts'
import { onlyQuery } from './listing.ts'
import { policyRefusal, refuse } from './refusals.ts'
import type { Cluster } from './store.ts'
import { links } from './views.ts'

/** Only for the user who made the cluster and for admins, not for other users of the project. */
function onlyOwner(call: Call, cluster: Cluster, rule: string, role: 'reader' | 'member'): void {
  if (call.isAdmin) return
  const hasRole = call.state.release.number < 17 || has(call, role)
  if (cluster.user_id !== call.userId || !hasRole) throw policyRefusal(rule)
}

function view(call: Call, cluster: Cluster, more: object): object {
  const old = call.state.release.number < 17 ? { bay_uuid: cluster.uuid } : {}
  return { ...old, cluster_uuid: cluster.uuid, links: links(call, `certificates/${cluster.uuid}`), ...more }
}

export async function showCertificate(call: Call, ident: string): Promise<Answer> {
  onlyQuery(call, 'ca_cert_type')
  const cluster = findCluster(call, ident)
  onlyOwner(call, cluster, 'certificate:get', 'reader')
  const type = call.request.query.get('ca_cert_type') ?? undefined
  const { certificate } = await authorityOf(call.state, cluster, type)
  return json(200, view(call, cluster, { pem: certificate.trimEnd() }))
}

export async function createCertificate(call: Call): Promise<Answer> {
  const { state } = call
  const text = { kind: 'text' } as const
  const fields = {
    bay_uuid: text,
    cluster_uuid: text,
    csr: { kind: 'text', minLength: 1 },
    ca_cert_type: { kind: 'text', since: 13 },
    pem: { kind: 'text', readOnly: true },
    links: { kind: 'list', readOnly: true },
  } as const
  const requested = readFields('certificate', await readBody(call, 'certificate'), fields, state.release.number)
  if (requested.cluster_uuid === undefined) {
    throw refuse(500, "(sandbox.ProgrammingError) Error binding parameter 2: type 'UnsetType' is not supported")
  }
  const cluster = findCluster(call, String(requested.cluster_uuid), 'own', 400)
  onlyOwner(call, cluster, 'certificate:create', 'member')
  if (requested.csr === undefined) throw refuse(500, "Cannot load 'csr' in the base class")
  const csr = String(requested.csr)
  const authority = await authorityOf(state, cluster, requested.ca_cert_type as string | undefined)
  const { signRequest } = await import('../../../pki/certificates.ts')
  let pem: string
  try {
    pem = signRequest(csr, authority, {
      ...validity(state),
      copy: ['keyUsage', 'extendedKeyUsage', 'subjectAltName', 'basicConstraints'],
    })
  } catch {
    throw refuse(400, `Received invalid csr b'${csr}'.`)
  }
  return json(201, view(call, cluster, { csr, pem: pem.trimEnd() }))
}

export function rotateCa(call: Call, ident: string): Answer {
  const { state } = call
  onlyQuery(call)
  const cluster = findCluster(call, ident)
  if (!call.isAdmin && state.release.number >= 17 && !has(call, 'member')) {
    throw policyRefusal('certificate:rotate_ca')
  }
  if (state.store.templates.get(cluster.cluster_template_id)?.tls_disabled) {
    throw refuse(400, 'Rotating the CA certificate on a non-TLS cluster is not supported')
  }
  cluster.authorities.clear() // before the driver is called, as upstream: a driver that refuses leaves an unused CA
  if (state.caRotate === 'unsupported') {
    const reason = "'rotate_ca_certificate' is not supported by this driver."
    conductor.failUpdate(cluster, 'default-worker', reason, state.clock.now())
    throw refuse(400, reason)
  }
  conductor.startUpdate(state, cluster, [])
  return json(202, { uuid: cluster.uuid })
}
