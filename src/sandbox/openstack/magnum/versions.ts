import { type Answer, type HeaderList, json } from '../../http.ts'
import { framework } from './refusals.ts'

/** A release of Magnum: its microversions and version number. */
export interface Release {
  /** Major number of the release: 15 is Zed, 22 is 2026.1. */
  number: number
  /** Minor parts of `1.x`. */
  min: number
  max: number
}

/** The release that had this maximum (where several had it, the newest that still ships everywhere). */
const releaseOf: Record<number, number> = {
  1: 2, 3: 3, 5: 4, 6: 5, 7: 8, 8: 9, 9: 10, 10: 15, 11: 18, 12: 22, 13: 23, 14: 23,
} // biome-ignore format: easier to read as a table

export function releaseFor(max: string, min = '1.1', number?: number): Release {
  const minor = Number(max.split('.')[1])
  return { number: number ?? releaseOf[minor] ?? (minor > 14 ? 23 : 15), min: Number(min.split('.')[1]), max: minor }
}

const service = (release: Release): string =>
  release.number >= 22 ? 'container-infrastructure-management' : 'container-infra'

export const versionHeaders = (release: Release, shown: string): HeaderList => ({
  'OpenStack-API-Minimum-Version': `${service(release)} 1.${release.min}`,
  'OpenStack-API-Maximum-Version': `${service(release)} 1.${release.max}`,
  'OpenStack-API-Version': `${service(release)} ${shown}`,
  vary: 'OpenStack-API-Version',
})

export type Negotiated = { minor: number } | { answer: Answer }

/**
 * Reads the version header; absent means 1.1. A malformed one throws the framework's 406, one out of range has its own
 * answer.
 */
export function negotiate(header: string | undefined, release: Release): Negotiated {
  if (header === undefined) return { minor: release.min }
  const [type = '', wanted = '', ...rest] = header.trim().split(/\s+/)
  const known =
    release.number >= 22 ? ['container-infra', 'container-infrastructure', service(release)] : ['container-infra']
  if (!known.includes(type) || wanted === '') {
    throw framework(406, 'Invalid service type for OpenStack-API-Version header')
  }
  if (wanted.toLowerCase() === 'latest') return { minor: release.max }
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(wanted) ?? []
  if (major === undefined || minor === undefined || rest.length) {
    throw framework(406, 'Invalid value for OpenStack-API-Version header')
  }
  if (Number(major) === 1 && Number(minor) >= release.min && Number(minor) <= release.max) {
    return { minor: Number(minor) }
  }
  return { answer: unsupported(wanted, Number(major), release) }
}

function unsupported(wanted: string, major: number, release: Release): Answer {
  const range = `The supported version range is: [${service(release)} 1.${release.min}, ${service(release)} 1.${release.max}].`
  const description =
    major === 1
      ? `Version ${wanted} was requested but the minor version is not supported by this service. ${range}`
      : `Mutually exclusive versions requested. Version ${wanted} requested but not supported by this service.${range}`
  const error = {
    code: 'magnum.microversion-unsupported',
    title: 'Requested microversion is unsupported',
    description,
    max_version: `1.${release.max}`,
    min_version: `1.${release.min}`,
    links: [{ rel: 'help', href: 'http://docs.openstack.org/api-guide/compute/microversions.html' }],
  }
  return json(406, { errors: [error] }, versionHeaders(release, wanted))
}

/** Refuses a method that needs a later microversion. */
export function since(minor: number, requested: number, method: string): void {
  if (requested >= minor) return
  throw framework(
    406,
    `Version 1.${requested} was requested but the requested API ${method} is not supported for this version.`,
  )
}
