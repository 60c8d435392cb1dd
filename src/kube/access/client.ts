/**
 * What we take from client-node: what an OpenID token says, and when it is to be renewed (`auth-provider: oidc`). Loaded only for
 * users that have one. Its types come to this module by `import type` (typed.ts). Its client never: it opens a connection for
 * each call, knows no time limits, and drops fields that it does not know.
 */
import { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js'
import { type IssuerAccess, renewed } from './oidc-refresh.ts'

type OverrideClient = Parameters<OpenIDConnectAuth['applyAuthentication']>[2]

/** Answers the id token in force, renewed at the issuer when it has expired. Undefined when there is nothing to renew it with. */
export function oidcTokens(
  config: Readonly<Record<string, string>>,
): (access: IssuerAccess) => Promise<string | undefined> {
  const auth = new OpenIDConnectAuth()
  // what was renewed is written here: an issuer may take each refresh token once
  const user = { name: '', authProvider: { name: 'oidc', config: { ...config } } }
  return async access => {
    const options: { headers: Record<string, string> } = { headers: {} }
    // its own requests know no proxies, no authority of the issuer's own, and no limits
    const issuer = { refresh: (token: string) => renewed(config, token, access) }
    await auth.applyAuthentication(user, options, issuer as unknown as OverrideClient)
    return options.headers.Authorization?.replace(/^Bearer /, '')
  }
}
