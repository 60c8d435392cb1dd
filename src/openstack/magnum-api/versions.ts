/** Magnum's microversions, which every answer below /v1 contains, even without a login. */
import type { Response } from '../../http/transport.ts'
import type { Service } from '../service.ts'

export interface VersionRange {
  /** Null if the server is not Magnum or hides its versions. */
  min: string | null
  max: string | null
}

export const magnumVersions = async (service: Service): Promise<VersionRange> =>
  versionRange(await service.call({ method: 'GET', path: '/' }))

/** The service name before the number differs between releases. */
export function versionRange({ headers }: Pick<Response, 'headers'>): VersionRange {
  const number = (name: string) => /\d+\.\d+/.exec(headers[name] ?? '')?.[0] ?? null
  return { min: number('openstack-api-minimum-version'), max: number('openstack-api-maximum-version') }
}
