/**
 * The kinds of login (`auth_type`) and their properties. The requests of those that use Keystone are in
 * src/openstack/auth-request.ts.
 */
export interface LoginKind {
  /** The source of the token for Magnum: issued by Keystone, provided by the user, or none. */
  readonly token: 'issued' | 'provided' | 'none'
  /** The user's credential is a token, which replaces other credentials of lower layers. */
  readonly byToken?: true
  /** Users and projects have names, for which Keystone needs domains. */
  readonly domains?: true
  /** coe asks for a missing password. */
  readonly asksPassword?: true
  /** Tokens are cached between runs. */ readonly cached?: true
}

const password = { token: 'issued', domains: true, asksPassword: true, cached: true } as const satisfies LoginKind
// a token from the user needs no cache
const token = { token: 'issued', byToken: true, domains: true } as const satisfies LoginKind
const providedToken = { token: 'provided', byToken: true } as const satisfies LoginKind

/** In the order of error messages. */
export const loginKinds = {
  password,
  v3password: password,
  token,
  v3token: token,
  v3applicationcredential: { token: 'issued', cached: true },
  admin_token: providedToken,
  token_endpoint: providedToken,
  none: { token: 'none' },
} as const satisfies Record<string, LoginKind>

export type LoginName = keyof typeof loginKinds

/** Undefined for an unknown kind, which is refused on use. */
export const loginKind = (type: string): LoginKind | undefined =>
  Object.hasOwn(loginKinds, type) ? loginKinds[type as LoginName] : undefined

/** Whether a login uses Keystone; unknown kinds count as if they did. */
export const asksKeystone = (type: string): boolean => (loginKind(type)?.token ?? 'issued') === 'issued'
