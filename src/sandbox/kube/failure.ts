/** Refusals of an API server in their wire format: objects of kind Status. */

export interface Cause {
  reason: string
  message: string
  field: string
}

export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: Cause[]
  retryAfterSeconds?: number
}

export class KubeFailure extends Error {
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }
}

export const failureStatus = (failure: KubeFailure) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: failure.message,
  ...(failure.reason ? { reason: failure.reason } : {}),
  ...(failure.details ? { details: failure.details } : {}),
  code: failure.code,
})

/** The parts of a resource's type that the messages need. */
export interface Named {
  plural: string
  group: string
  kind: string
}

const qualified = ({ plural, group }: Named) => (group ? `${plural}.${group}` : plural)
const detailsOf = ({ plural, group }: Named, name: string): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  kind: plural,
})

export const badRequest = (message: string) => new KubeFailure(400, 'BadRequest', message)
export const unauthorized = () => new KubeFailure(401, 'Unauthorized', 'Unauthorized')
export const notFoundPath = () =>
  new KubeFailure(404, 'NotFound', 'the server could not find the requested resource', {})
export const methodNotAllowed = () =>
  new KubeFailure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
export const unsupportedMediaType = (accepted?: string) =>
  accepted
    ? new KubeFailure(
        415,
        'UnsupportedMediaType',
        `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
      )
    : new KubeFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
export const internalError = (message: string) =>
  new KubeFailure(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message } as Cause],
  })
export const unavailable = (message = 'the server is currently unable to handle the request') =>
  new KubeFailure(503, 'ServiceUnavailable', message, {})

export const notFound = (type: Named, name: string) =>
  new KubeFailure(404, 'NotFound', `${qualified(type)} "${name}" not found`, detailsOf(type, name))

export const alreadyExists = (type: Named, name: string) =>
  new KubeFailure(409, 'AlreadyExists', `${qualified(type)} "${name}" already exists`, detailsOf(type, name))

export const conflict = (type: Named, name: string, why: string) =>
  new KubeFailure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${why}`,
    detailsOf(type, name),
  )

export const modified = (type: Named, name: string) =>
  conflict(type, name, 'the object has been modified; please apply your changes to the latest version and try again')

export const forbidden = (type: Named, name: string, why: string, causes?: Cause[]) =>
  new KubeFailure(403, 'Forbidden', `${qualified(type)}${name ? ` "${name}"` : ''} is forbidden: ${why}`, {
    ...detailsOf(type, name),
    ...(causes ? { causes } : {}),
  })

export function invalid(type: Named, name: string, causes: Cause[]): KubeFailure {
  const texts = causes.map(cause => `${cause.field}: ${cause.message}`)
  const what = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const kind = type.group ? `${type.kind}.${type.group}` : type.kind
  return new KubeFailure(422, 'Invalid', `${kind} "${name}" is invalid: ${what}`, {
    ...(name ? { name } : {}),
    ...(type.group ? { group: type.group } : {}),
    kind: type.kind,
    causes,
  })
}

export const expired = (message: string) => new KubeFailure(410, 'Expired', message)

const quoted = (value: unknown) => JSON.stringify(value)
export const invalidValue = (field: string, value: unknown, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${quoted(value)}: ${why}`,
  field,
})
export const requiredValue = (field: string, why = ''): Cause => ({
  reason: 'FieldValueRequired',
  message: `Required value${why ? `: ${why}` : ''}`,
  field,
})
export const unsupportedValue = (field: string, value: unknown, supported: string[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quoted(value)}: supported values: ${supported.map(quoted).join(', ')}`,
  field,
})
