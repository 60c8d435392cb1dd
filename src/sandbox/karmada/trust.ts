import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { splitBundle } from '../../pki/inspect.ts'

/** Checks of certificates, with Go's messages, as in the logs of the real components. */

const ids = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' }

/** Why a key pair is unusable; undefined if it is usable. */
export function pairProblem(certificate: string, key: string): string | undefined {
  try {
    const leaf = new X509Certificate(certificate)
    return leaf.checkPrivateKey(createPrivateKey(key)) ? undefined : 'tls: private key does not match public key'
  } catch (error) {
    return `tls: failed to find any PEM data in certificate or key input (${(error as Error).message})`
  }
}

/** Why the certificate is not trusted for this role; undefined if it is. */
export function chainProblem(
  certificate: string,
  authorities: string,
  role: 'server' | 'client',
  now: number,
  host?: string,
): string | undefined {
  const leaf = new X509Certificate(certificate)
  if (now < new Date(leaf.validFrom).getTime() || now > new Date(leaf.validTo).getTime()) {
    return `tls: failed to verify certificate: x509: certificate has expired or is not yet valid`
  }
  const trusted = splitBundle(authorities)
    .map(pem => new X509Certificate(pem))
    .some(ca => leaf.checkIssued(ca) && leaf.verify(ca.publicKey))
  if (!trusted) return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  const usages = leaf.keyUsage as string[] | undefined
  if (usages && !usages.includes(ids[role])) {
    return 'tls: failed to verify certificate: x509: certificate specifies an incompatible key usage'
  }
  if (host === undefined || (isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host))) return undefined
  const names = (leaf.subjectAltName ?? '').split(', ').map(name => name.replace(/^(DNS|IP Address):/, ''))
  return `tls: failed to verify certificate: x509: certificate is valid for ${names.join(', ')}, not ${host}`
}
