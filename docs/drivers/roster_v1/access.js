// Access for users: the host's own API, with the account that may read the list.
import { readerToken, refOf } from './template-def.js'

/**
 * @param {import('./coe.js').DriverApi} coe
 * @param {import('./coe.js').FederationSite} site
 * @returns {Promise<import('./coe.js').InlineAccess>}
 */
export async function access(coe, { name, namespace, host, creation, signal }) {
  const secret = await host.get(refOf(readerToken(namespace)), { signal })
  const token = decoded(secret, 'token')
  if (!token) {
    throw coe.errors.notFound(`federation "${name}" has no keys yet`, {
      next: [creation], // coe makes the line of it
    })
  }
  coe.addSecret(token) // from here on nothing prints it
  return { name, server: host.server, ca: decoded(secret, 'ca.crt'), token }
}

/**
 * @param {import('./coe.js').KubeObject | undefined} secret
 * @param {string} key
 */
export const decoded = (secret, key) => {
  const value = secret?.data?.[key]
  return value ? Buffer.from(value, 'base64').toString() : undefined
}
