/**
 * The kinds of login (`auth_type`) and what is so of each. A kind that asks Keystone has its request in
 * src/openstack/auth-request.ts; everything else asks this table.
 */
export interface LoginKind {
  /** Where the token for Magnum comes from: Keystone issues it, the user gives it as it is, or none is sent. */
  readonly token: 'issued' | 'given' | 'none'
  /** What the user gives is a token, which replaces other credentials of a lower layer. */
  readonly byToken?: true
  /** Users and projects are named, and Keystone wants the domains of the names. */
  readonly domains?: true
  /** A password is asked for when none is given. */
  readonly asksPassword?: true
  /** Tokens are kept between runs. */
  readonly kept?: true
}

const password = { token: 'issued', domains: true, asksPassword: true, kept: true } as const satisfies LoginKind
// one that the user gives needs no cache
const token = { token: 'issued', byToken: true, domains: true } as const satisfies LoginKind
const givenToken = { token: 'given', byToken: true } as const satisfies LoginKind

/** In the order in which errors name them. */
export const loginKinds = {
  password,
  v3password: password,
  token,
  v3token: token,
  v3applicationcredential: { token: 'issued', kept: true },
  admin_token: givenToken,
  token_endpoint: givenToken,
  none: { token: 'none' },
} as const satisfies Record<string, LoginKind>

export type LoginName = keyof typeof loginKinds

/** Undefined for one that coe does not know: it is refused when it is about to be used. */
export const loginKind = (type: string): LoginKind | undefined =>
  Object.hasOwn(loginKinds, type) ? loginKinds[type as LoginName] : undefined

/** One that coe does not know would. */
export const asksKeystone = (type: string): boolean => (loginKind(type)?.token ?? 'issued') === 'issued'
