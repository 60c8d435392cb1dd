/** Turns refusals of an API server into errors that a user can read, without the JSON of the Status. */
import { parseBounded } from '../../core/bounded-json.ts'
import { CoeError, type ErrorDetails, type Outcome } from '../../core/errors.ts'
import type { Response } from '../../http/transport.ts'
import { hintFor } from './error-hints.ts'
import { statusShape } from './shapes.ts'

export interface Status {
  kind?: string
  message?: string
  reason?: string
  code?: number
  details?: {
    name?: string
    kind?: string
    group?: string
    retryAfterSeconds?: number
    causes?: { reason?: string; message?: string; field?: string }[]
  }
}

export interface RequestContext {
  /** `the API server of "c2"` */
  server: string
  /** What the request was for: `create Deployment x/etcd`. */
  doing: string
}

/** A missing right, in terms of RBAC. */
export interface MissingRight {
  user: string
  verb: string
  resource: string
  namespace?: string
}

/** Reads the Status in a body. Other bodies (a proxy's page, an old server's plain text) become a Status with their text. */
export function readStatus(response: Pick<Response, 'status' | 'text'>): Status {
  try {
    const body = parseBounded(response.text)
    if (statusShape(body) === undefined && (body as Status).kind === 'Status') return body as Status
  } catch {
    // not JSON: use its text
  }
  const text = response.text.trim()
  return { code: response.status, message: /^\s*</.test(text) ? 'the answer is a web page' : text.slice(0, 300) }
}

export function kubeError(response: Pick<Response, 'status' | 'text' | 'headers'>, request: RequestContext): CoeError {
  const status = readStatus(response)
  return statusError({ ...status, code: response.status }, request, {
    request_id: response.headers['audit-id'],
  })
}

export function statusError(status: Status, request: RequestContext, extra: ErrorDetails = {}): CoeError {
  const code = status.code ?? 500
  const right = code === 403 ? missingRight(status.message ?? '') : undefined
  return new CoeError(outcomeOf(code, right), `${request.server} ${refusalText(status, code, request, right)}`, {
    hint: hintFor({
      code,
      reason: status.reason,
      message: status.message ?? '',
      right,
      conflicts: fieldConflicts(status),
    }),
    details: {
      ...extra,
      status: code,
      service: 'kubernetes',
      reason: status.reason,
      ...(right ? { missing: right } : {}),
      ...(status.details?.causes?.length ? { causes: status.details.causes } : {}),
    },
  })
}

function outcomeOf(code: number, right: MissingRight | undefined): Outcome {
  if (code === 401 || right) return 'denied'
  if (code === 404) return 'notFound'
  if (code === 409) return 'conflict'
  return 'failed'
}

function refusalText(status: Status, code: number, { doing }: RequestContext, right: MissingRight | undefined): string {
  const message = status.message ?? ''
  if (code === 401) return `does not accept the credentials (to ${doing})`
  if (right) {
    // RBAC reports a namespace as being inside itself
    const inside = right.namespace !== undefined && right.resource !== 'namespaces'
    const where = inside ? ` in namespace "${right.namespace}"` : ''
    return `does not let "${right.user}" ${right.verb} ${right.resource}${where}`
  }
  const conflicts = fieldConflicts(status)
  if (conflicts.length) {
    const list = conflicts.map(c => `${c.field} (${c.manager})`).join(', ')
    return `refuses to ${doing}: other clients have set these fields: ${list}`
  }
  if (status.reason === 'AlreadyExists') return `refuses to ${doing}: it exists already`
  const causes = status.details?.causes?.filter(c => c.message)
  if (code === 422 && causes?.length) {
    return `refuses to ${doing}: ${causes.map(c => (c.field ? `${c.field}: ${c.message}` : c.message)).join('; ')}`
  }
  if (code === 429) return `is too busy to ${doing}${message ? `: ${message}` : ''}`
  if (code >= 500) return `failed to ${doing} (${code})${message ? `: ${message}` : ''}`
  return `refuses to ${doing} (${code})${message ? `: ${message}` : ''}`
}

export interface FieldConflict {
  manager: string
  field: string
}

/** Reads from a refused apply which manager has set which field. */
export function fieldConflicts(status: Status): FieldConflict[] {
  const causes = status.details?.causes ?? []
  return causes
    .filter(c => c.reason === 'FieldManagerConflict')
    .map(c => ({ manager: /conflict with "([^"]+)"/.exec(c.message ?? '')?.[1] ?? 'another', field: c.field ?? '' }))
}

const refused =
  /User "(?<user>[^"]*)" cannot (?<verb>\S+) (?:resource "(?<resource>[^"]*)" in API group "(?<group>[^"]*)"|path "(?<path>[^"]*)")(?:.* in the namespace "(?<namespace>[^"]*)")?/

function missingRight(message: string): MissingRight | undefined {
  const found = refused.exec(message)?.groups
  if (!found) return undefined
  const { user = '', verb = '', resource, group, path = '', namespace } = found
  return {
    user,
    verb,
    resource: resource === undefined ? path : group ? `${resource}.${group}` : resource,
    ...(namespace === undefined ? {} : { namespace }),
  }
}

const statusCodes = (error: unknown): { status?: number | undefined; reason?: unknown } =>
  error instanceof CoeError && error.details.service === 'kubernetes' ? error.details : {}

export const statusOf = (error: unknown): number | undefined => statusCodes(error).status
export const isNotFound = (error: unknown): boolean => statusCodes(error).status === 404
export const isConflict = (error: unknown): boolean => statusCodes(error).status === 409
export const isFieldConflict = (error: unknown): error is CoeError =>
  error instanceof CoeError && fieldConflicts({ details: error.details as NonNullable<Status['details']> }).length > 0
export const alreadyExists = (error: unknown): boolean => statusCodes(error).reason === 'AlreadyExists'
export const isForbidden = (error: unknown): boolean => statusCodes(error).status === 403
/** Nothing can be created in a namespace that is being deleted. */
export const isNamespaceEnding = (error: unknown): boolean =>
  error instanceof CoeError &&
  (error.details.causes as { reason?: string }[] | undefined)?.some(c => c.reason === 'NamespaceTerminating') === true
