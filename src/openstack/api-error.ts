/** Error answers of OpenStack services, their middleware and the proxies in front of them, in all their formats. */
import { parseBounded } from '../core/bounded-json.ts'
import { CoeError, failed, type Outcome } from '../core/errors.ts'
import { type Advice, nextStep } from '../core/next-step.ts'
import { shownUrl } from '../http/failure.ts'
import type { Response } from '../http/transport.ts'
import { adviceFor, whatNeeds } from './api-hints.ts'

interface Parsed {
  reason: string
  minVersion?: string
  maxVersion?: string
}

/** Uses the complete text (`detail`), not the title that upstream's client cuts at the first dot. */
export function parseError(text: string): Parsed | undefined {
  const object = objectIn(text)
  if (object === undefined) return undefined
  const first: unknown = Array.isArray(object.errors) ? object.errors[0] : undefined
  if (isObject(first)) {
    const { min_version, max_version } = first
    return {
      reason: readable(first.detail) || readable(first.title) || readable(first.description),
      ...(readable(min_version) ? { minVersion: readable(min_version) } : {}),
      ...(readable(max_version) ? { maxVersion: readable(max_version) } : {}),
    }
  }
  const { error } = object
  if (isObject(error)) return { reason: readable(error.message) || readable(error.title) }
  if (typeof object.error_message === 'string') return { reason: faultString(object.error_message) }
  if (typeof object.faultstring === 'string') return { reason: object.faultstring }
  return undefined
}

/** The oldest servers put JSON into the message. */
const faultString = (text: string): string => readable(objectIn(text)?.faultstring) || text

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseBounded(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Text or a number as text; other values are not readable. */
const readable = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const outcomes: Record<number, Outcome> = { 401: 'denied', 403: 'denied', 404: 'notFound', 409: 'conflict' }

const bare: Record<number, string> = {
  401: 'the token is not valid',
  403: 'you are not allowed to do this',
  404: 'not found',
  405: 'this server does not support the request',
  406: 'this server does not support the requested API version',
  413: 'the request is too large',
  429: 'too many requests',
  500: 'the server failed',
  502: 'a proxy in front of the server got no answer from it',
  503: 'the service is not available now',
  504: 'a proxy in front of the server timed out waiting for its answer',
}

export interface ErrorContext {
  name: string
  url: string
  /** The microversion that the request needs. */
  needed?: string | undefined
  /** The microversion that the user requested, sent in its place. */
  requested?: string | undefined
  /** For a 401, if the kind of login allows a better hint than the status. */
  refusedHint?: string | undefined
}

function advice(status: number, reason: string, { needed, requested, refusedHint }: ErrorContext): Advice {
  if (status === 401 && refusedHint) return { hint: refusedHint }
  if (status === 406 && requested)
    return {
      hint: `leave out ${requested} (--os-container-infra-api-version): each request asks for the version that it needs`,
    }
  return adviceFor(status, reason, needed)
}

/** Whether a 404 comes from another server: it says nothing about the requested object, and must not count as "deleted". */
const isElsewhere = ({ status, text }: Response, { name }: ErrorContext): boolean =>
  status === 404 && name === 'Magnum' && !/"(errors|error_message|faultstring)"/.test(text)

const versionWanted = ({ requested, needed }: ErrorContext): string =>
  requested === undefined
    ? `${whatNeeds(needed)} needs API version ${needed ?? '?'}`
    : `API version ${requested} was requested`

export function apiError(response: Response, context: ErrorContext): CoeError {
  const { status } = response
  if (isElsewhere(response, context)) {
    return failed(`${shownUrl(context.url)} is not Magnum's API (it answered HTTP 404)`, {
      hint: 'check the endpoint override or the catalog',
      next: [nextStep('check each step', 'doctor')],
      details: { status, service: 'magnum' },
    })
  }
  const parsed = parseError(response.text)
  const requestId = response.headers['x-openstack-request-id']
  const version = parsed?.maxVersion
    ? `${versionWanted(context)}, but this server supports ${parsed.minVersion} to ${parsed.maxVersion}`
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
      ...advice(status, reason, context),
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
