import { createPublicKey, type KeyObject } from 'node:crypto'
import { type ExtensionValues, extensions, readExtensions } from './extensions.ts'
import * as x from './x509.ts'

const label = '(?:NEW )?CERTIFICATE REQUEST'
const extensionRequest = '1.2.840.113549.1.9.14'

/** A PKCS#10 request in PEM, signed by the key that the certificate is for. */
export function createRequest(subject: x.Subject, key: KeyObject, wanted: ExtensionValues = {}): string {
  const requested = extensions(wanted)
  const attributes = requested.length ? [x.sequence(x.oid(extensionRequest), x.set(x.sequence(...requested)))] : []
  const content = x.sequence(
    x.integer(Uint8Array.of(0)),
    x.name(subject),
    x.publicKeyInfo(createPublicKey(key)),
    x.tagged(0, attributes),
  )
  return x.toPem('CERTIFICATE REQUEST', x.signed(content, key))
}

export interface SigningRequest {
  /** Exactly as sent, with its encodings and order. */
  subject: x.Node
  publicKey: KeyObject
  /** By id. The signer chooses which of them to grant. */
  extensions: Map<string, { node: x.Node; value: Buffer }>
}

/** Reads a request of any key type and checks that the sender holds the private key. Throws with the reason if not. */
export function readRequest(pem: string): SigningRequest {
  const [content, algorithm, signature] = x.children(x.decode(x.fromPem(label, pem)))
  const [, subject, info, ...rest] = x.children(content)
  if (!content || !algorithm || !signature || !subject || !info)
    throw new Error('the certificate request is incomplete')
  const publicKey = x.readPublicKey(info)
  if (!x.isSignedBy(content, algorithm, signature, publicKey)) {
    throw new Error('the certificate request is not signed by its own key')
  }
  const attributes = rest.find(node => x.isTagged(node, 0))
  let requested: SigningRequest['extensions'] = new Map()
  for (const attribute of attributes ? x.children(attributes) : []) {
    const [id, values] = x.children(attribute)
    if (x.readOid(id) === extensionRequest) requested = readExtensions(x.children(values)[0])
  }
  return { subject, publicKey, extensions: requested }
}
