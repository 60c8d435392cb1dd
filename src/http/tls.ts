/** TLS options of an endpoint. Certificates are parsed once; Node by itself parses them for each connection. */
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

/** @param proxied a proxy agent makes the connections, and gets all options each time */
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

/** Undefined if the files are broken: then the first request fails, with the name of the endpoint. */
function contextOf({ ca, cert, key }: TlsSettings): SecureContext | undefined {
  try {
    return createSecureContext({ ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) })
  } catch {
    return undefined
  }
}

/** The server name to request and check. An IP address cannot be requested, only checked. */
const identity = (serverName: string | undefined) => {
  if (!serverName) return {}
  if (!isIP(serverName)) return { serverName }
  return {
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => checkServerIdentity(serverName, certificate),
  }
}
