import { isIP } from 'node:net'
import {
  bits,
  boolean,
  bytesOf,
  children,
  encode,
  integer,
  type Node,
  octets,
  oid,
  readOid,
  sequence,
  tagged,
} from './x509.ts'

/** In the order of their bits. */
const usageBits = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
] as const

const extendedUsageIds = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

export const extensionIds = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const

export type KeyUsage = (typeof usageBits)[number]
export type ExtendedKeyUsage = keyof typeof extendedUsageIds

export interface ExtensionValues {
  /** True: a CA; `pathLength` limits the CAs below it. False: explicitly not a CA. Absent: no such extension. */
  ca?: boolean | { pathLength: number } | undefined
  usages?: readonly KeyUsage[] | undefined
  extendedUsages?: readonly ExtendedKeyUsage[] | undefined
  dnsNames?: readonly string[] | undefined
  ipAddresses?: readonly string[] | undefined
}

export function extension(id: string, critical: boolean, value: Node): Node {
  const content = octets(encode(value))
  return critical ? sequence(oid(id), boolean(true), content) : sequence(oid(id), content)
}

export function extensions(values: ExtensionValues): Node[] {
  const made: Node[] = []
  if (values.ca !== undefined) made.push(extension(extensionIds.basicConstraints, true, basicConstraints(values.ca)))
  if (values.usages?.length) made.push(extension(extensionIds.keyUsage, true, keyUsage(values.usages)))
  if (values.extendedUsages?.length) {
    const ids = values.extendedUsages.map(usage => oid(extendedUsageIds[usage]))
    made.push(extension(extensionIds.extendedKeyUsage, false, sequence(...ids)))
  }
  const names = [
    ...(values.dnsNames ?? []).map(dns => tagged(2, Buffer.from(dns, 'latin1'))),
    ...(values.ipAddresses ?? []).map(ip => tagged(7, ipBytes(ip))),
  ]
  if (names.length) made.push(extension(extensionIds.subjectAltName, false, sequence(...names)))
  return made
}

export const subjectKeyIdentifier = (id: Uint8Array): Node =>
  extension(extensionIds.subjectKeyIdentifier, false, octets(id))

export const authorityKeyIdentifier = (id: Uint8Array): Node =>
  extension(extensionIds.authorityKeyIdentifier, false, sequence(tagged(0, id)))

function basicConstraints(ca: boolean | { pathLength: number }): Node {
  if (ca === false) return sequence()
  if (ca === true) return sequence(boolean(true))
  return sequence(boolean(true), integer(Uint8Array.of(ca.pathLength)))
}

function keyUsage(usages: readonly KeyUsage[]): Node {
  let byte = 0
  for (const usage of usages) byte |= 0x80 >> usageBits.indexOf(usage)
  // DER: a named bit list ends with its last set bit
  return bits(Uint8Array.of(byte), 31 - Math.clz32(byte & -byte))
}

/** 4 or 16 bytes. */
function ipBytes(address: string): Uint8Array {
  const kind = isIP(address)
  if (kind === 4) return Uint8Array.from(address.split('.'), Number)
  if (kind !== 6 || address.includes('%')) throw new Error(`"${address}" is not an IP address`)
  const groups = (part: string): number[] =>
    part
      .split(':')
      .filter(group => group !== '')
      .flatMap(group => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [(a << 8) | b, (c << 8) | d]
      })
  const [head = '', tail] = address.split('::')
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Uint8Array.from(all.flatMap(group => [group >> 8, group & 0xff]))
}

/** The extensions of an `Extensions` sequence, by id. */
export function readExtensions(list: Node | undefined): Map<string, { node: Node; value: Buffer }> {
  const found = new Map<string, { node: Node; value: Buffer }>()
  for (const node of children(list)) {
    const parts = children(node)
    found.set(readOid(parts[0]), { node, value: bytesOf(parts.at(-1)) })
  }
  return found
}
