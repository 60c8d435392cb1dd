import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  authorityKeyIdentifier,
  type ExtensionValues,
  extensionIds,
  extensions,
  readExtensions,
  subjectKeyIdentifier,
} from './extensions.ts'
import { readRequest } from './requests.ts'
import * as x from './x509.ts'

export type { ExtendedKeyUsage, ExtensionValues, KeyUsage } from './extensions.ts'
export type { Subject } from './x509.ts'

/** The signing authority: its certificate (PEM) and private key. */
export interface Issuer {
  certificate: string
  key: KeyObject
}

export interface Validity {
  /** Milliseconds since the epoch, from the World's clock. */
  now: number
  days: number
}

export interface Profile extends ExtensionValues, Validity {
  subject: x.Subject
}

const minute = 60_000
const day = 24 * 60 * minute

/** Clocks differ: a new certificate must be valid on a machine whose clock is a little behind. */
const backdate = 5 * minute

/** A self-signed certification authority. Its key usages are a CA's unless the profile names others. */
export function createCa(profile: Profile, key: KeyObject): string {
  const info = x.publicKeyInfo(createPublicKey(key))
  const id = x.keyIdentifier(info)
  const subject = x.name(profile.subject)
  const usages = profile.usages ?? (['digitalSignature', 'keyCertSign', 'cRLSign'] as const)
  const values = { ...profile, usages, ca: profile.ca ?? true }
  return build({ subject, info, issuer: subject, issuerId: id, validity: profile, key, granted: extensions(values) })
}

/** A certificate for `publicKey`; a CA below the issuer when the profile says `ca`. */
export function issue(profile: Profile, publicKey: KeyObject, issuer: Issuer): string {
  const values = { ...profile, ca: profile.ca ?? false }
  return build({
    subject: x.name(profile.subject),
    info: x.publicKeyInfo(publicKey),
    ...readIssuer(issuer),
    validity: profile,
    key: issuer.key,
    granted: extensions(values),
  })
}

export interface SignOptions extends Validity {
  /** Extensions of the request that are copied into the certificate; none when absent. */
  copy?: readonly (keyof typeof extensionIds)[] | undefined
  /** Extensions that the certificate gets, whatever the request asks for. */
  grant?: ExtensionValues | undefined
}

/** Signs a request. Checks the request's own signature first, and copies its subject verbatim. */
export function signRequest(csr: string, issuer: Issuer, options: SignOptions): string {
  const request = readRequest(csr)
  const copied = (options.copy ?? []).flatMap(which => request.extensions.get(extensionIds[which])?.node ?? [])
  return build({
    subject: request.subject,
    info: x.publicKeyInfo(request.publicKey),
    ...readIssuer(issuer),
    validity: options,
    key: issuer.key,
    granted: [...extensions(options.grant ?? {}), ...copied],
  })
}

/** The issuer's name and key id exactly as in its certificate, because chains are matched byte by byte. */
function readIssuer({ certificate }: Issuer): { issuer: x.Node; issuerId: Buffer } {
  const [content] = x.children(x.decode(x.fromPem('CERTIFICATE', certificate)))
  const parts = x.children(content).filter(node => !x.isTagged(node, 0))
  const [, , , , subject, info] = parts
  if (!subject || !info) throw new Error("the issuer's certificate is incomplete")
  const list = parts.find(node => x.isTagged(node, 3))
  const own = list && readExtensions(x.children(list)[0]).get(extensionIds.subjectKeyIdentifier)
  return { issuer: subject, issuerId: own ? x.bytesOf(x.decode(own.value)) : x.keyIdentifier(info) }
}

interface Parts {
  subject: x.Node
  info: x.Node
  issuer: x.Node
  issuerId: Buffer
  validity: Validity
  key: KeyObject
  granted: x.Node[]
}

function build({ subject, info, issuer, issuerId, validity, key, granted }: Parts): string {
  const { now, days } = validity
  const all = [...granted, subjectKeyIdentifier(x.keyIdentifier(info)), authorityKeyIdentifier(issuerId)]
  const content = x.sequence(
    x.tagged(0, [x.integer(Uint8Array.of(2))]), // version 3
    x.integer(serialNumber()),
    x.signatureAlgorithm(key),
    issuer,
    x.sequence(x.time(new Date(now - backdate)), x.time(new Date(now + days * day))),
    subject,
    info,
    x.tagged(3, [x.sequence(...all)]),
  )
  return x.toPem('CERTIFICATE', x.signed(content, key))
}

/** 16 random bytes that encode a positive number in its shortest form. */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0] as number) & 0x7f || 1
  return bytes
}
