import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type forge from 'node-forge'
// The only file that imports node-forge, which only encodes ASN.1 here: node:crypto makes keys, digests and signatures.
import asn1 from 'node-forge/lib/asn1.js'

export type Node = forge.asn1.Asn1

const { Type, Class } = asn1

const primitive = (type: forge.asn1.Type, bytes: string): Node => asn1.create(Class.UNIVERSAL, type, false, bytes)
const constructed = (type: forge.asn1.Type, nodes: Node[]): Node => asn1.create(Class.UNIVERSAL, type, true, nodes)

export const sequence = (...nodes: Node[]): Node => constructed(Type.SEQUENCE, nodes)
export const set = (...nodes: Node[]): Node => constructed(Type.SET, nodes)
export const oid = (dotted: string): Node => primitive(Type.OID, asn1.oidToDer(dotted).getBytes())
export const integer = (bytes: Uint8Array): Node => primitive(Type.INTEGER, latin(bytes))
export const boolean = (value: boolean): Node => primitive(Type.BOOLEAN, value ? '\xff' : '\0')
export const octets = (bytes: Uint8Array): Node => primitive(Type.OCTETSTRING, latin(bytes))
/** `unused`: the number of padding bits in the last byte. */
export const bits = (bytes: Uint8Array, unused = 0): Node =>
  primitive(Type.BITSTRING, String.fromCharCode(unused) + latin(bytes))
/** `[n]`: wraps nodes (explicit tagging) or replaces a primitive's own tag (implicit tagging). */
export const tagged = (n: number, content: Node[] | Uint8Array): Node =>
  asn1.create(
    Class.CONTEXT_SPECIFIC,
    n as forge.asn1.Type,
    Array.isArray(content),
    Array.isArray(content) ? content : latin(content),
  )

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export const encode = (node: Node): Buffer => Buffer.from(asn1.toDer(node).getBytes(), 'latin1')

/** Strict DER. Bit strings stay bytes, so that parts of a request are copied into a certificate verbatim. */
export const decode = (der: Uint8Array): Node => fromDer(latin(der), { strict: true, decodeBitStrings: false })

const fromDer = asn1.fromDer as unknown as (bytes: string, options: object) => Node // the published types omit the options

export const children = (node: Node | undefined): Node[] => {
  if (!node || !Array.isArray(node.value)) throw new Error('malformed ASN.1: a sequence was expected')
  return node.value as Node[]
}

export const bytesOf = (node: Node | undefined): Buffer => {
  if (!node || typeof node.value !== 'string') throw new Error('malformed ASN.1: a simple value was expected')
  return Buffer.from(node.value, 'latin1')
}

export const readOid = (node: Node | undefined): string => asn1.derToOid(bytesOf(node).toString('latin1'))

export const isTagged = (node: Node, n: number): boolean =>
  node.tagClass === Class.CONTEXT_SPECIFIC && (node.type as number) === n

/** UTCTime ends with the year 2049; later dates require GeneralizedTime. */
export function time(at: Date): Node {
  return at.getUTCFullYear() < 2050
    ? primitive(Type.UTCTIME, asn1.dateToUtcTime(at))
    : primitive(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(at))
}

/** The order matters: some readers compare or print names attribute by attribute. */
export type Subject = readonly (readonly [attribute: keyof typeof attributes, value: string])[]

const attributes = { CN: '2.5.4.3', C: '2.5.4.6', L: '2.5.4.7', ST: '2.5.4.8', O: '2.5.4.10', OU: '2.5.4.11' } as const

export function name(subject: Subject): Node {
  return sequence(
    ...subject.map(([attribute, value]) => {
      // the standard requires a PrintableString for the country; the others may hold any text
      const text = primitive(attribute === 'C' ? Type.PRINTABLESTRING : Type.UTF8, latin(Buffer.from(value)))
      return set(sequence(oid(attributes[attribute]), text))
    }),
  )
}

interface Algorithm {
  oid: string
  digest: string | null
  /** RSA's algorithm identifiers carry a NULL; the others must not. */
  withNull: boolean
}

const signing: Record<string, Algorithm> = {
  ec: { oid: '1.2.840.10045.4.3.2', digest: 'sha256', withNull: false },
  rsa: { oid: '1.2.840.113549.1.1.11', digest: 'sha256', withNull: true },
  ed25519: { oid: '1.3.101.112', digest: null, withNull: false },
}

const digests: Record<string, string | null> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
}

const algorithmOf = (key: KeyObject): Algorithm => {
  const known = signing[key.asymmetricKeyType ?? '']
  if (!known) throw new Error(`keys of type ${key.asymmetricKeyType} cannot sign certificates`)
  return known
}

export const signatureAlgorithm = (key: KeyObject): Node => {
  const { oid: id, withNull } = algorithmOf(key)
  return withNull ? sequence(oid(id), primitive(Type.NULL, '')) : sequence(oid(id))
}

/** The signed structure: content, algorithm, signature. */
export function signed(content: Node, key: KeyObject): Buffer {
  const signature = sign(algorithmOf(key).digest, encode(content), key)
  return encode(sequence(content, signatureAlgorithm(key), bits(signature)))
}

/** Whether `key` made `signature` over `content`, by the algorithm that `algorithm` names. */
export function isSignedBy(content: Node, algorithm: Node, signature: Node, key: KeyObject): boolean {
  const digest = digests[readOid(children(algorithm)[0])]
  return digest !== undefined && verify(digest, encode(content), key, bytesOf(signature).subarray(1))
}

export const publicKeyInfo = (key: KeyObject): Node => decode(key.export({ type: 'spki', format: 'der' }))

export const readPublicKey = (info: Node): KeyObject =>
  createPublicKey({ key: encode(info), format: 'der', type: 'spki' })

/** RFC 5280's first method: SHA-1 over the key's bits. It only names the key, so SHA-1 is good enough. */
export const keyIdentifier = (info: Node): Buffer =>
  createHash('sha1')
    .update(bytesOf(children(info)[1]).subarray(1))
    .digest()

export const toPem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${(
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${label}-----\n`

export function fromPem(label: string, text: string): Buffer {
  const body = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`).exec(text)?.[1]
  if (body === undefined) throw new Error(`the text has no "BEGIN ${label}" line`)
  return Buffer.from(body, 'base64')
}
