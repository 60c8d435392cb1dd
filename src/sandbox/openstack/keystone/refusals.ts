import { type Answer, type HeaderList, json } from '../../http.ts'

/** A refusal in Keystone's own format. The router turns it into the answer. */
export class KeystoneRefusal extends Error {
  readonly status: number
  readonly title: string
  readonly extra: object

  constructor(status: number, title: string, message: string, extra: object = {}) {
    super(message)
    this.status = status
    this.title = title
    this.extra = extra
  }
}

const advice =
  'The server could not comply with the request since it is either malformed or otherwise incorrect. ' +
  'The client is assumed to be in error.'

/** One text for every reason: Keystone does not tell which part of a login was wrong. */
export const unauthorized = (message = 'The request you have made requires authentication.', extra: object = {}) =>
  new KeystoneRefusal(401, 'Unauthorized', message, extra)

export const expecting = (what: string, where: string) =>
  new KeystoneRefusal(400, 'Bad Request', `Expecting to find ${what} in ${where}. ${advice}`)

export const forbidden = (action: string) =>
  new KeystoneRefusal(403, 'Forbidden', `You are not authorized to perform the requested action: ${action}.`)

export const unknownToken = () => new KeystoneRefusal(404, 'Not Found', 'Could not recognize Fernet token')

export function refusalAnswer(refusal: KeystoneRefusal, authUrl: string): Answer {
  const headers: HeaderList = refusal.status === 401 ? { 'WWW-Authenticate': `Keystone uri="${authUrl}"` } : {}
  const { status: code, message, title, extra } = refusal
  return json(code, { error: { code, ...extra, message, title } }, headers)
}
