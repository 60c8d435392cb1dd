import { createCa, type Issuer, issue } from '../../../pki/certificates.ts'
import { generateKey, type KeyPair, privateKeyPem } from '../../../pki/keys.ts'

export interface Credentials {
  certificate: string
  key: string
}

/** The certification authority of one simulated cluster. */
export interface Authority {
  certificate: string
  server(names: { dnsNames: string[]; ipAddresses: string[] }): Promise<Credentials>
  client(name: string, groups: string[]): Promise<Credentials>
}

/** An issuer, if given, signs in its place: the CA of a cluster of the simulated Magnum. */
export async function createAuthority(name: string, now: number, given?: Issuer): Promise<Authority> {
  const issuer = given ?? (await selfSigned(name, now))
  const sign = async (make: (key: KeyPair) => string): Promise<Credentials> => {
    const key = await generateKey()
    return { certificate: make(key), key: privateKeyPem(key.privateKey) }
  }
  const usages = ['digitalSignature', 'keyEncipherment'] as const
  return {
    certificate: issuer.certificate,
    server: ({ dnsNames, ipAddresses }) =>
      sign(({ publicKey }) =>
        issue(
          {
            subject: [['CN', 'kube-apiserver']],
            now,
            days: 365,
            usages,
            extendedUsages: ['serverAuth'],
            dnsNames,
            ipAddresses,
          },
          publicKey,
          issuer,
        ),
      ),
    client: (user, groups) =>
      sign(({ publicKey }) => {
        const subject = [...groups.map(group => ['O', group] as const), ['CN', user] as const]
        return issue({ subject, now, days: 365, usages, extendedUsages: ['clientAuth'] }, publicKey, issuer)
      }),
  }
}

async function selfSigned(name: string, now: number): Promise<Issuer> {
  const { privateKey } = await generateKey()
  const certificate = createCa({ subject: [['CN', `${name}-ca`]], now, days: 3650 }, privateKey)
  return { certificate, key: privateKey }
}
