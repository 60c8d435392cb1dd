/** /v1/credentials: a cluster's credentials for its cloud. */
import type { Service } from '../service.ts'
import { segment } from './one.ts'

export const rotateCredential = (service: Service, cluster: string): Promise<{ uuid: string }> =>
  service.json({ method: 'PATCH', path: `/credentials/${segment(cluster)}`, needs: '1.12' })
