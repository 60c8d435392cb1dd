import { type KeyObject, X509Certificate } from 'node:crypto'

/** The contents of a certificate, to show and to decide by. node:crypto reads it because it knows every key type. */
export interface CertificateFacts {
  subject: string
  issuer: string
  /** The subject's attributes one by one: `CN` and every `O`. */
  commonName: string | undefined
  organizations: string[]
  serialNumber: string
  notBefore: Date
  notAfter: Date
  dnsNames: string[]
  ipAddresses: string[]
  isCa: boolean
  keyType: string | undefined
  /** `AB:CD:…`, of the complete certificate. */
  fingerprint256: string
}

export function inspect(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem)
  const names = (certificate.subjectAltName ?? '').split(', ')
  const named = (prefix: string) => names.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length))
  const attributes = (which: string) =>
    certificate.subject
      .split('\n')
      .filter(line => line.startsWith(`${which}=`))
      .map(line => line.slice(which.length + 1))
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    commonName: attributes('CN')[0],
    organizations: attributes('O'),
    serialNumber: certificate.serialNumber,
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
    dnsNames: named('DNS:'),
    ipAddresses: named('IP Address:'),
    isCa: certificate.ca,
    keyType: certificate.publicKey.asymmetricKeyType,
    fingerprint256: certificate.fingerprint256,
  }
}

const oneLine = (name: string): string => name.split('\n').join(', ')

/** All certificates of a bundle, in order. */
export const splitBundle = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []

/** Negative once the certificate has expired. */
export const daysLeft = (facts: Pick<CertificateFacts, 'notAfter'>, now: number): number =>
  (facts.notAfter.getTime() - now) / 86_400_000

/** Whether `caPem` signed `pem`. Ignores the dates of both. */
export function issuedBy(pem: string, caPem: string): boolean {
  const certificate = new X509Certificate(pem)
  const authority = new X509Certificate(caPem)
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

/** Whether the certificate belongs to this private key. */
export const isFor = (pem: string, key: KeyObject): boolean => new X509Certificate(pem).checkPrivateKey(key)
