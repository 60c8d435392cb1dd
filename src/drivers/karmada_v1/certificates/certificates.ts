/** Makes the keys and certificates of a control plane, or keeps those that are good: what stands is not made anew. */
import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createCa, type Issuer, issue } from '../../../pki/certificates.ts'
import { daysLeft, inspect, isFor, issuedBy } from '../../../pki/inspect.ts'
import { generateKey, privateKeyPem, publicKeyPem, readPrivateKey } from '../../../pki/keys.ts'
import { authoritiesSecret } from '../names.ts'
import {
  type Authority,
  alsoHolds,
  authorities,
  authorityNames,
  type CertificateNeeds,
  type Leaf,
  leaves,
  splitNames,
} from './certificate-table.ts'

/** The texts in a Secret, by file name. */
export type Files = Record<string, string>

/** By Secret. All that is secret about a federation, and what is issued from it. */
export type Credentials = Record<string, Files>

/** While etcd changes from one authority to another: the certificate of the one before. */
export const formerAuthority = 'etcd-ca-before.crt'

const authorityDays = 3650
const leafDays = 365
/** A certificate with fewer days left is made anew when somebody looks. */
export const renewBelowDays = 60

export interface Issued {
  credentials: Credentials
  /** `etcd/tls.crt`: what had to be made, in the order of making. Empty: all was good. */
  made: string[]
}

export async function credentialsFor(needs: CertificateNeeds, before: Credentials, now: number): Promise<Issued> {
  const made: string[] = []
  const { [formerAuthority]: _, ...keys }: Files = { ...before[authoritiesSecret] }
  const issuers = new Map<Authority, Issuer>()
  for (const name of authorities) issuers.set(name, await authority(name, keys, now, made))
  const serviceAccounts = await serviceAccountKey(keys, before, made)
  const common: Files = {
    'service-account.key': serviceAccounts,
    'service-account.pub': publicKeyPem(createPublicKey(serviceAccounts)),
  }
  for (const [name, issuer] of issuers) common[`${name}.crt`] = issuer.certificate

  const wanted = leaves(needs)
  const pairs = await Promise.all(
    wanted.map(leaf => leafPair(leaf, before[leaf.secret] ?? {}, issuers.get(leaf.authority) as Issuer, now)),
  )
  const credentials: Credentials = { [authoritiesSecret]: keys }
  wanted.forEach((leaf, i) => {
    const pair = pairs[i] as Pair
    credentials[leaf.secret] = {
      ...credentials[leaf.secret],
      [`${leaf.file}.crt`]: pair.certificate,
      [`${leaf.file}.key`]: pair.key,
    }
    if (pair.fresh) made.push(`${leaf.secret}/${leaf.file}.crt`)
  })
  for (const [secret, files] of Object.entries(alsoHolds)) {
    if (credentials[secret] === undefined) continue
    for (const file of files) {
      const text = common[file] as string
      credentials[secret] = { ...credentials[secret], [file]: text }
      if (before[secret] && before[secret][file] !== text) made.push(`${secret}/${file}`)
    }
  }
  return { credentials, made }
}

/** Kept until it is over: everything hangs on it. */
async function authority(name: Authority, keys: Files, now: number, made: string[]): Promise<Issuer> {
  const standing = issuerOf(name, keys, now)
  if (standing) return standing
  const pair = await generateKey()
  const fresh = createCa({ subject: [['CN', authorityNames[name]]], now, days: authorityDays }, pair.privateKey)
  keys[`${name}.crt`] = fresh
  keys[`${name}.key`] = privateKeyPem(pair.privateKey)
  made.push(`${authoritiesSecret}/${name}.crt`)
  return { certificate: fresh, key: pair.privateKey }
}

/** Undefined where nothing can be issued by it: it is not there, broken, or over. */
function issuerOf(name: Authority, keys: Files, now: number): Issuer | undefined {
  const certificate = keys[`${name}.crt`]
  const key = keys[`${name}.key`]
  if (!certificate || !key) return undefined
  return attempt(() => {
    const issuer = { certificate, key: readPrivateKey(key) }
    return isFor(certificate, issuer.key) && daysLeft(inspect(certificate), now) > 0 ? issuer : undefined
  })
}

/** Those that issued what is in other Secrets, and can issue nothing any more. */
export const lostAuthorities = (before: Credentials, now: number): Authority[] =>
  authorities.filter(
    name =>
      issuerOf(name, before[authoritiesSecret] ?? {}, now) === undefined &&
      Object.entries(before).some(([secret, files]) => secret !== authoritiesSecret && files[`${name}.crt`]),
  )

/** Another key would end every ServiceAccount's token, so it outlives all certificates. */
async function serviceAccountKey(keys: Files, before: Credentials, made: string[]): Promise<string> {
  const file = 'service-account.key'
  const known = keys[file] ?? before['karmada-apiserver']?.[file] ?? before['kube-controller-manager']?.[file]
  if (known && attempt(() => readPrivateKey(known))) {
    if (keys[file] !== known) made.push(`${authoritiesSecret}/${file}`)
    keys[file] = known
    return known
  }
  const fresh = privateKeyPem((await generateKey()).privateKey)
  keys[file] = fresh
  made.push(`${authoritiesSecret}/${file}`)
  return fresh
}

interface Pair {
  certificate: string
  key: string
  fresh: boolean
}

async function leafPair(leaf: Leaf, before: Files, issuer: Issuer, now: number): Promise<Pair> {
  const certificate = before[`${leaf.file}.crt`]
  const key = before[`${leaf.file}.key`]
  if (certificate && key && attempt(() => isGood(leaf, certificate, key, issuer, now))) {
    return { certificate, key, fresh: false }
  }
  const pair = await generateKey()
  const names = [...new Set([...(leaf.names ?? []), ...(leaf.alsoNames ?? [])])]
  const subject = [...(leaf.organizations ?? []).map(name => ['O', name] as const), ['CN', leaf.commonName] as const]
  const profile = {
    subject,
    ...splitNames(names),
    usages: ['digitalSignature'] as const,
    extendedUsages: leaf.usages,
    now,
    days: leafDays,
  }
  return { certificate: issue(profile, pair.publicKey, issuer), key: privateKeyPem(pair.privateKey), fresh: true }
}

function isGood(leaf: Leaf, certificate: string, key: string, issuer: Issuer, now: number): boolean {
  const facts = inspect(certificate)
  const x509 = new X509Certificate(certificate)
  const organizations = [...facts.organizations].sort().join()
  return (
    daysLeft(facts, now) >= renewBelowDays &&
    facts.commonName === leaf.commonName &&
    organizations === [...(leaf.organizations ?? [])].sort().join() &&
    isFor(certificate, readPrivateKey(key)) &&
    issuedBy(certificate, issuer.certificate) &&
    (leaf.names ?? []).every(name => (isIP(name) ? x509.checkIP(name) : x509.checkHost(name)) !== undefined)
  )
}

/** What cannot even be read is not good. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** Changes when any file of a Secret does: pods carry it, so that those that use what changed are replaced. */
export function checksum(files: Files): string {
  const hash = createHash('sha256')
  for (const name of Object.keys(files).sort()) hash.update(`${name}\n${files[name]}\n`)
  return hash.digest('hex').slice(0, 32)
}
