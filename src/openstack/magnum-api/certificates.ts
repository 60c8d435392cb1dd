/** /v1/certificates: a cluster's CA, and certificates that it signs. */
import type { Certificate } from '../../model/administration.ts'
import type { Service } from '../service.ts'
import { segment } from './one.ts'
import { certificateShape } from './shapes.ts'

/** Servers before 2022 have only one CA, and refuse the parameter. */
const kind = (caType: string | undefined) => (caType === undefined ? {} : { ca_cert_type: caType })

export const getCertificate = (service: Service, cluster: string, caType?: string): Promise<Certificate> =>
  service.json({
    method: 'GET',
    path: `/certificates/${segment(cluster)}`,
    query: kind(caType),
    expects: certificateShape,
  })

/** Magnum signs the subject of the request unchanged: it decides the holder's user and groups in the cluster. */
export const signCertificate = (
  service: Service,
  cluster: string,
  csr: string,
  caType?: string,
): Promise<Certificate> =>
  service.json({
    method: 'POST',
    path: '/certificates',
    body: { cluster_uuid: cluster, csr, ...kind(caType) },
    expects: certificateShape,
  })

/** A new CA for the cluster: certificates by the old one stop working once the nodes have it. */
export const rotateCa = (service: Service, cluster: string): Promise<{ uuid: string }> =>
  service.json({ method: 'PATCH', path: `/certificates/${segment(cluster)}`, needs: '1.5' })
