import { type Answer, type HeaderList, json } from '../../http.ts'

/**
 * A refusal by Magnum. `code` tells its source: the API's own checks (`client`, `server`) answer with the microversion
 * headers, the web framework around it (empty code) without.
 */
export class MagnumRefusal extends Error {
  readonly status: number
  readonly code: 'client' | 'server' | ''
  readonly title: string | undefined
  readonly headers: HeaderList

  constructor(
    status: number,
    code: 'client' | 'server' | '',
    detail: string,
    title?: string,
    headers: HeaderList = {},
  ) {
    super(detail)
    this.status = status
    this.code = code
    this.title = title
    this.headers = headers
  }
}

export const refuse = (status: number, detail: string): MagnumRefusal =>
  new MagnumRefusal(status, status >= 500 ? 'server' : 'client', detail)

const titles: Record<number, string> = { 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable' }

export const framework = (status: number, detail = '', headers: HeaderList = {}): MagnumRefusal =>
  new MagnumRefusal(status, '', detail, titles[status] ?? '', headers)

export const invalid = (attribute: string, value: string, why: string): MagnumRefusal =>
  refuse(400, `Invalid input for field/attribute ${attribute}. Value: '${value}'. ${why}`)

export const mandatory = (attribute: string): MagnumRefusal => invalid(attribute, 'None', 'Mandatory field missing.')

export const missingArgument = (name: string): MagnumRefusal => refuse(400, `Missing argument: "${name}"`)

export const unknownArgument = (name: string): MagnumRefusal => refuse(400, `Unknown argument: "${name}"`)

export const policyRefusal = (rule: string): MagnumRefusal =>
  refuse(403, `Policy doesn't allow ${rule} to be performed.`)

/** The title is the text before the first full stop, even if that is within a flavor's name. */
export function magnumAnswer({ status, code, message: detail, title, headers }: MagnumRefusal): Answer {
  const shown = title ?? detail.split('.')[0]
  return json(status, { errors: [{ request_id: '', code, status, title: shown, detail, links: [] }] }, headers)
}
