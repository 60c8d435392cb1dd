/** The identity of a session: the token, its scope, and the catalog that came with it. */
import { list, nullable, object, type Shape, text, textLike } from '../core/shape.ts'

export interface CatalogEndpoint {
  interface: string
  region: string | null
  url: string
}

export interface CatalogService {
  type: string
  name: string
  endpoints: CatalogEndpoint[]
}

export interface Identity {
  token: string
  /** Unknown for tokens from the user. */
  expiresAt?: string
  /** By Keystone's clock. */
  issuedAt?: string
  project?: { id: string; name: string }
  user?: { id: string; name: string }
  roles: string[]
  catalog: CatalogService[]
}

export const named = object({ id: text, name: text })
/** Whether it can be sent in a header: no blanks, no line ends. */
export const isTokenText = (value: string): boolean => /^[\x21-\x7e]+$/.test(value)
const tokenText = textLike('a token', isTokenText)
export const date = textLike('a date', value => !Number.isNaN(Date.parse(value)))
const optional =
  (shape: Shape): Shape =>
  value =>
    value === undefined ? undefined : shape(value)

/** The shape of an identity, whatever its source. */
export const identityShapes: Readonly<Record<keyof Identity, Shape>> = {
  token: tokenText,
  expiresAt: optional(date),
  issuedAt: optional(date),
  project: optional(named),
  user: optional(named),
  roles: list(text),
  catalog: list(
    object({
      type: text,
      name: text,
      endpoints: list(object({ interface: text, region: nullable(text), url: text })),
    }),
  ),
}
