import type { Issuer } from '../pki/certificates.ts'
import { createCa, issue } from '../pki/certificates.ts'
import { generateKey, privateKeyPem } from '../pki/keys.ts'

/**
 * The sandbox's own CA and its server certificates. Each sandbox makes a new CA, so that no client can trust it for
 * long.
 */
export interface SandboxAuthority extends Issuer {
  serverCertificate(names?: { dnsNames?: string[]; ipAddresses?: string[] }): Promise<{ key: string; cert: string }>
}

export async function createAuthority(now: number, name = 'coe sandbox (a simulation)'): Promise<SandboxAuthority> {
  const { privateKey: key } = await generateKey()
  const certificate = createCa({ subject: [['CN', name]], now, days: 30 }, key)
  return {
    key,
    certificate,
    async serverCertificate(names = {}) {
      const pair = await generateKey()
      const profile = {
        subject: [['CN', 'localhost']] as const,
        dnsNames: names.dnsNames ?? ['localhost'],
        ipAddresses: names.ipAddresses ?? ['127.0.0.1', '::1'],
        usages: ['digitalSignature'] as const,
        extendedUsages: ['serverAuth'] as const,
        now,
        days: 30,
      }
      return { key: privateKeyPem(pair.privateKey), cert: issue(profile, pair.publicKey, { certificate, key }) }
    },
  }
}
