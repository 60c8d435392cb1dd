import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CertificateNeeds, leaves } from '../../../src/drivers/karmada_v1/certificates/certificate-table.ts'
import {
  type Credentials,
  checksum,
  credentialsFor,
} from '../../../src/drivers/karmada_v1/certificates/certificates.ts'
import { certificateHealth } from '../../../src/drivers/karmada_v1/monitor.ts'

const day = 86_400_000
const now = Date.now()
const needs: CertificateNeeds = {
  namespace: 'coe-fed-x',
  members: 3,
  address: '192.0.2.7',
  otherAddresses: ['192.0.2.8', 'fed.example.org'],
}
const file = (all: Credentials, secret: string, name: string): string => all[secret]?.[name] ?? ''

let all: Credentials
beforeAll(async () => {
  all = (await credentialsFor(needs, {}, now)).credentials
})

/** The server's and the client's view of one handshake on a real socket. */
async function handshake(
  server: { secret: string; name: string; clientCa: string },
  client: { secret?: string; name?: string; ca: string; host: string },
): Promise<{ ok: boolean; reason?: string; peer?: string }> {
  return new Promise(resolve => {
    const listener = createServer(
      {
        key: file(all, server.secret, `${server.name}.key`),
        cert: file(all, server.secret, `${server.name}.crt`),
        ca: server.clientCa,
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: 'TLSv1.3',
      },
      socket => {
        const peer = socket.getPeerCertificate().subject?.CN
        const ok = client.secret === undefined || socket.authorized
        resolve({
          ok,
          ...(socket.authorizationError ? { reason: String(socket.authorizationError) } : {}),
          peer: String(peer),
        })
        socket.destroy()
        listener.close()
      },
    )
    listener.on('tlsClientError', () => {})
    listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as { port: number }
      const socket = connect({
        port,
        host: '127.0.0.1',
        servername: /^[\d.]+$/.test(client.host) ? '' : client.host,
        ca: client.ca,
        checkServerIdentity: (_, cert) =>
          new X509Certificate(cert.raw)[/^[\d.]+$/.test(client.host) ? 'checkIP' : 'checkHost'](client.host) ===
          undefined
            ? new Error(`not for ${client.host}`)
            : undefined,
        ...(client.secret
          ? {
              key: file(all, client.secret, `${client.name}.key`),
              cert: file(all, client.secret, `${client.name}.crt`),
            }
          : {}),
      })
      socket.on('error', error => {
        resolve({ ok: false, reason: error.message })
        listener.close()
      })
    })
  })
}

describe('who talks with whom', () => {
  const ca = () => file(all, 'karmada-webhook', 'ca.crt')
  const etcdCa = () => file(all, 'etcd', 'etcd-ca.crt')

  it.each([
    ['etcd-0.etcd', 'karmada-apiserver'],
    ['etcd-2.etcd.coe-fed-x.svc', 'karmada-aggregated-apiserver'],
    ['etcd-client', 'karmada-apiserver'],
  ])('etcd, called %s, and its client %s trust each other', async (host, secret) => {
    const server = { secret: 'etcd', name: 'tls', clientCa: etcdCa() }
    expect(await handshake(server, { secret, name: 'etcd-client', ca: etcdCa(), host })).toMatchObject({ ok: true })
  })

  it('members of etcd are servers and clients to each other', async () => {
    const server = { secret: 'etcd', name: 'peer', clientCa: etcdCa() }
    const client = { secret: 'etcd', name: 'peer', ca: etcdCa(), host: 'etcd-1.etcd' }
    expect(await handshake(server, client)).toMatchObject({ ok: true, peer: 'etcd-peer' })
  })

  it.each(['192.0.2.7', '192.0.2.8', 'fed.example.org', 'karmada-apiserver', 'karmada-apiserver.coe-fed-x.svc'])(
    'the API answers as %s, and knows the administrator',
    async host => {
      const server = { secret: 'karmada-apiserver', name: 'tls', clientCa: ca() }
      const client = { secret: 'admin-kubeconfig', name: 'client', ca: ca(), host }
      expect(await handshake(server, client)).toMatchObject({ ok: true, peer: 'system:admin' })
    },
  )

  it('the API finds its webhook and the other API server by the names that it checks', async () => {
    const webhook = { secret: 'karmada-webhook', name: 'tls', clientCa: ca() }
    expect(await handshake(webhook, { ca: ca(), host: 'karmada-webhook' })).toMatchObject({ ok: true })
    const frontProxyCa = file(all, 'karmada-apiserver', 'front-proxy-ca.crt')
    const aggregated = { secret: 'karmada-aggregated-apiserver', name: 'tls', clientCa: frontProxyCa }
    const asked = {
      secret: 'karmada-apiserver',
      name: 'front-proxy-client',
      ca: ca(),
      host: 'karmada-aggregated-apiserver.karmada-system.svc',
    }
    expect(await handshake(aggregated, asked)).toMatchObject({ ok: true, peer: 'front-proxy-client' })
  })

  it('nobody gets into etcd with a certificate of the API, nor is the API believed under another name', async () => {
    const server = { secret: 'etcd', name: 'tls', clientCa: etcdCa() }
    const wrong = { secret: 'admin-kubeconfig', name: 'client', ca: etcdCa(), host: 'etcd-client' }
    expect(await handshake(server, wrong)).toMatchObject({ ok: false })
    const api = { secret: 'karmada-apiserver', name: 'tls', clientCa: ca() }
    expect(await handshake(api, { ca: ca(), host: 'evil.example.org' })).toMatchObject({ ok: false })
  })
})

describe('what lies where', () => {
  it('no key in two Secrets, but for the one of service accounts, which two components need', () => {
    const places = new Map<string, string[]>()
    for (const [secret, files] of Object.entries(all)) {
      for (const [name, text] of Object.entries(files)) {
        if (text.includes('PRIVATE KEY')) places.set(text, [...(places.get(text) ?? []), `${secret}/${name}`])
      }
    }
    const shared = [...places.values()].filter(where => where.length > 1)
    expect(shared).toEqual([
      [
        'certificate-authorities/service-account.key',
        'karmada-apiserver/service-account.key',
        'kube-controller-manager/service-account.key',
      ],
    ])
  })

  it('no key of an authority where a pod could read it', () => {
    for (const [secret, files] of Object.entries(all)) {
      const keys = Object.keys(files).filter(name => name.endsWith('ca.key'))
      expect(keys.length, secret).toBe(secret === 'certificate-authorities' ? 3 : 0)
    }
  })

  it('begins five minutes ago and lasts a year, the authorities ten', () => {
    for (const { secret, file: name } of leaves(needs)) {
      const certificate = new X509Certificate(file(all, secret, `${name}.crt`))
      expect(now - Date.parse(certificate.validFrom)).toBeGreaterThanOrEqual(5 * 60_000)
      expect(now - Date.parse(certificate.validFrom)).toBeLessThan(5 * 60_000 + 2_000)
      expect(Math.round((Date.parse(certificate.validTo) - now) / day)).toBe(365)
      expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    }
    const ca = new X509Certificate(file(all, 'certificate-authorities', 'ca.crt'))
    expect(Math.round((Date.parse(ca.validTo) - now) / day)).toBe(3650)
  })
})

describe.skipIf(spawnSync('openssl', ['version']).status !== 0)('openssl', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'coe-certificates-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('verifies each certificate for what it is used for, and for nothing else', () => {
    for (const { secret, file: name, authority, usages, names = [] } of leaves(needs)) {
      const ca = put('ca.pem', file(all, 'certificate-authorities', `${authority}.crt`))
      const leaf = put('leaf.pem', file(all, secret, `${name}.crt`))
      const verify = (purpose: string, ...more: string[]) =>
        spawnSync('openssl', ['verify', '-x509_strict', '-CAfile', ca, '-purpose', purpose, ...more, leaf]).status
      expect(verify('sslserver'), `${secret}/${name}`).toBe(usages.includes('serverAuth') ? 0 : 2)
      expect(verify('sslclient'), `${secret}/${name}`).toBe(usages.includes('clientAuth') ? 0 : 2)
      for (const one of names) {
        const option = /^[\d.]+$/.test(one) ? '-verify_ip' : '-verify_hostname'
        expect(verify('any', option, one), `${secret}/${name} as ${one}`).toBe(0)
      }
    }
  })
})

describe('made again', () => {
  it('nothing changes while all is good', async () => {
    const again = await credentialsFor(needs, all, now + 300 * day)
    expect(again.made).toEqual([])
    expect(again.credentials).toEqual(all)
  })

  it('all leaves are renewed with fewer than 60 days left, by the same authorities, and the accounts’ key stays', async () => {
    const later = now + 306 * day
    const { credentials, made } = await credentialsFor(needs, all, later)
    expect(made).toHaveLength(leaves(needs).length)
    expect(made.every(name => name.endsWith('.crt') && !name.startsWith('certificate-authorities'))).toBe(true)
    expect(credentials['certificate-authorities']).toEqual(all['certificate-authorities'])
    expect(certificateHealth(credentials, later).filter(c => c.due)).toEqual([])
    expect(certificateHealth(all, later).filter(c => c.due)).toHaveLength(leaves(needs).length)
  })

  it('another address changes the certificate of the API alone, and so does its pods’ checksum alone', async () => {
    const { credentials, made } = await credentialsFor({ ...needs, address: 'new.example.org' }, all, now)
    expect(made).toEqual(['karmada-apiserver/tls.crt'])
    const changed = Object.keys(all).filter(s => checksum(all[s] ?? {}) !== checksum(credentials[s] ?? {}))
    expect(changed).toEqual(['karmada-apiserver'])
  })

  it('nodes that come and go change nothing', async () => {
    expect((await credentialsFor({ ...needs, otherAddresses: ['192.0.2.99'] }, all, now)).made).toEqual([])
  })

  it.each([
    ['a certificate without its key', { ...{}, 'tls.key': '' }],
    ['a certificate that cannot be read', { 'tls.crt': 'garbage' }],
  ])('%s is replaced', async (_, broken) => {
    const before = { ...all, 'karmada-webhook': { ...all['karmada-webhook'], ...broken } }
    const { credentials, made } = await credentialsFor(needs, before, now)
    expect(made).toEqual(['karmada-webhook/tls.crt'])
    expect(() => new X509Certificate(file(credentials, 'karmada-webhook', 'tls.crt'))).not.toThrow()
  })

  it('a certificate of a stranger is replaced', async () => {
    const stranger = (await credentialsFor(needs, {}, now)).credentials
    const before = { ...all, 'karmada-scheduler': stranger['karmada-scheduler'] ?? {} }
    expect((await credentialsFor(needs, before, now)).made.sort()).toEqual([
      'karmada-scheduler/ca.crt',
      'karmada-scheduler/client.crt',
    ])
  })

  it('without its authority everything below it is made anew', async () => {
    const authorities = { ...all['certificate-authorities'] }
    delete authorities['etcd-ca.key']
    const { made } = await credentialsFor(needs, { ...all, 'certificate-authorities': authorities }, now)
    expect(made).toContain('etcd/tls.crt')
    expect(made).toContain('karmada-apiserver/etcd-client.crt')
    expect(made).not.toContain('karmada-apiserver/tls.crt')
  })
})
