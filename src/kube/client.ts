/**
 * What we take from client-node: the refresh of OpenID Connect tokens (`auth-provider: oidc`). Loaded only for users
 * that have one. Its types come to this room by `import type` (typed.ts). Its client never: it opens a connection for
 * each call, knows no time limits, and drops fields that it does not know.
 */
import { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js'

/** The id token in force, renewed at the issuer when it has expired. Undefined when there is nothing to renew it with. */
export async function oidcToken(config: Readonly<Record<string, string>>): Promise<string | undefined> {
  const options: { headers: Record<string, string> } = { headers: {} }
  const user = { name: '', authProvider: { name: 'oidc', config: { ...config } } }
  await new OpenIDConnectAuth().applyAuthentication(user, options)
  return options.headers.Authorization?.replace(/^Bearer /, '')
}
