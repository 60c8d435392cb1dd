/**
 * The one part of client-node that runs: it reads OpenID tokens and decides when to renew them (`auth-provider: oidc`). This file
 * is loaded only for kubeconfig users of that kind. typed.ts imports client-node's types. Its client is not used: it opens a
 * connection for each call, has no time limits, and drops fields that it does not know.
 */
import { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js'
import { type IssuerAccess, renewed } from './oidc-refresh.ts'

type OverrideClient = Parameters<OpenIDConnectAuth['applyAuthentication']>[2]

/** Returns the current id token, renewed at the issuer if it has expired. Undefined if there is no refresh token. */
export function oidcTokens(
  config: Readonly<Record<string, string>>,
): (access: IssuerAccess) => Promise<string | undefined> {
  const auth = new OpenIDConnectAuth()
  // client-node stores the renewed tokens here: an issuer may accept each refresh token only once
  const user = { name: '', authProvider: { name: 'oidc', config: { ...config } } }
  return async access => {
    const options: { headers: Record<string, string> } = { headers: {} }
    // client-node's own requests support no proxy, no private CA and no time limit
    const issuer = { refresh: (token: string) => renewed(config, token, access) }
    await auth.applyAuthentication(user, options, issuer as unknown as OverrideClient)
    return options.headers.Authorization?.replace(/^Bearer /, '')
  }
}
