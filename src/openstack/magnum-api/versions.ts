/** Which microversions a Magnum speaks. Every answer below /v1 says it, whoever asks. */
import type { Response } from '../../http/transport.ts'
import type { Service } from '../service.ts'

export interface VersionRange {
  /** Null for something that is no Magnum, or hides it. */
  min: string | null
  max: string | null
}

export const magnumVersions = async (service: Service): Promise<VersionRange> =>
  versionRange(await service.call({ method: 'GET', path: '/' }))

/** The name of the service before the number differs between releases. */
export function versionRange({ headers }: Pick<Response, 'headers'>): VersionRange {
  const number = (name: string) => /\d+\.\d+/.exec(headers[name] ?? '')?.[0] ?? null
  return { min: number('openstack-api-minimum-version'), max: number('openstack-api-maximum-version') }
}
