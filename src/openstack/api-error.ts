/** Every shape in which OpenStack services, their middleware and the proxies before them say no. */
import { parseBounded } from '../core/bounded-json.ts'
import { CoeError, failed, type Outcome } from '../core/errors.ts'
import { shownUrl } from '../http/failure.ts'
import type { Response } from '../http/transport.ts'
import { hintFor, whatNeeds } from './api-hints.ts'

interface Parsed {
  reason: string
  minVersion?: string
  maxVersion?: string
}

/** The whole text (`detail`), not the title that upstream's client cuts at the first dot. */
export function parseError(text: string): Parsed | undefined {
  const object = objectIn(text)
  if (object === undefined) return undefined
  const first: unknown = Array.isArray(object.errors) ? object.errors[0] : undefined
  if (isObject(first)) {
    const { min_version, max_version } = first
    return {
      reason: words(first.detail) || words(first.title) || words(first.description),
      ...(words(min_version) ? { minVersion: words(min_version) } : {}),
      ...(words(max_version) ? { maxVersion: words(max_version) } : {}),
    }
  }
  const { error } = object
  if (isObject(error)) return { reason: words(error.message) || words(error.title) }
  if (typeof object.error_message === 'string') return { reason: faultString(object.error_message) }
  if (typeof object.faultstring === 'string') return { reason: object.faultstring }
  return undefined
}

/** The oldest servers put JSON into the text. */
const faultString = (text: string): string => words(objectIn(text)?.faultstring) || text

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseBounded(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Anything else than words says nothing to people. */
const words = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const outcomes: Record<number, Outcome> = { 401: 'denied', 403: 'denied', 404: 'notFound', 409: 'conflict' }

const bare: Record<number, string> = {
  401: 'the token is not valid',
  403: 'this is not allowed to you',
  404: 'there is no such thing',
  405: 'this server does not know the request',
  406: 'this server does not know the API version asked for',
  413: 'the request is too large',
  429: 'too many requests',
  500: 'the server failed',
  502: 'a proxy before the server got no answer from it',
  503: 'the service is not available now',
  504: 'a proxy before the server waited in vain for its answer',
}

export interface ErrorContext {
  name: string
  url: string
  /** The microversion that the request needs. */
  wanted?: string | undefined
  /** The one that the user insists on: sent instead. */
  asked?: string | undefined
  /** For a 401, where the way to log in says more than the status. */
  refusedHint?: string | undefined
}

function hint(status: number, reason: string, { wanted, asked, refusedHint }: ErrorContext): string | undefined {
  if (status === 401 && refusedHint) return refusedHint
  if (status === 406 && asked)
    return `leave out ${asked} (--os-container-infra-api-version): each request asks for what it needs`
  return hintFor(status, reason, wanted)
}

/** A page that is not there is no word about the thing asked for: taken for one, it would be "not found", or "deleted". */
const isElsewhere = ({ status, text }: Response, { name }: ErrorContext): boolean =>
  status === 404 && name === 'Magnum' && !/"(errors|error_message|faultstring)"/.test(text)

const versionWanted = ({ asked, wanted }: ErrorContext): string =>
  asked === undefined ? `${whatNeeds(wanted)} needs API version ${wanted ?? '?'}` : `API version ${asked} was asked for`

export function apiError(response: Response, context: ErrorContext): CoeError {
  const { status } = response
  if (isElsewhere(response, context)) {
    return failed(`${shownUrl(context.url)} is not Magnum's API (it answered HTTP 404)`, {
      hint: 'check the endpoint override, or the catalog: "coe doctor" looks at each step of the way',
      details: { status, service: 'magnum' },
    })
  }
  const parsed = parseError(response.text)
  const requestId = response.headers['x-openstack-request-id']
  const version = parsed?.maxVersion
    ? `${versionWanted(context)}, and this server has ${parsed.minVersion} to ${parsed.maxVersion}`
    : undefined
  const reason =
    version ??
    (status >= 300 && status < 400 ? `it redirects to ${response.headers.location ?? 'elsewhere'}` : undefined) ??
    (parsed?.reason || (bare[status] ?? 'the request was refused'))
  const tail = [`HTTP ${status}`, ...(requestId ? [`request ${requestId}`] : [])].join(', ')
  return new CoeError(
    outcomes[status] ?? 'failed',
    `${reason.replace(/[.\s]+$/, '')} (${context.name.toLowerCase()}: ${tail})`,
    {
      hint: hint(status, reason, context),
      details: {
        status,
        service: context.name.toLowerCase(),
        ...(requestId ? { request_id: requestId } : {}),
        reason,
        ...(parsed?.maxVersion ? { max_version: parsed.maxVersion } : {}),
      },
    },
  )
}
