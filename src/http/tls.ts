/** TLS of one endpoint: whom to trust and what to show is read once, where Node by itself reads it for each connection. */
import { Agent } from 'node:https'
import { isIP } from 'node:net'
import { checkServerIdentity, createSecureContext, type PeerCertificate, type SecureContext } from 'node:tls'
import type { OptionsInit } from 'got'

export interface TlsSettings {
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  insecure?: boolean | undefined
  serverName?: string | undefined
}

/** @param proxied somebody else makes the connections, and is told all each time */
export function tlsOptions(tls: TlsSettings, proxied: boolean): Pick<OptionsInit, 'https' | 'agent'> {
  const checks = { ...identity(tls.serverName), rejectUnauthorized: !tls.insecure }
  const secureContext = proxied ? undefined : contextOf(tls)
  if (secureContext) return { https: checks, agent: { https: new Agent({ keepAlive: true, secureContext }) } }
  return {
    https: {
      ...(tls.ca ? { certificateAuthority: tls.ca } : {}),
      ...(tls.cert ? { certificate: tls.cert } : {}),
      ...(tls.key ? { key: tls.key } : {}),
      ...checks,
    },
  }
}

/** Undefined where the files are broken: the first request says so, with whose they are. */
function contextOf({ ca, cert, key }: TlsSettings): SecureContext | undefined {
  try {
    return createSecureContext({ ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) })
  } catch {
    return undefined
  }
}

/** The name to ask for and to check; an address cannot be asked for, but it can be checked. */
const identity = (serverName: string | undefined) => {
  if (!serverName) return {}
  if (!isIP(serverName)) return { serverName }
  return {
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => checkServerIdentity(serverName, certificate),
  }
}
