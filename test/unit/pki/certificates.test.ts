import { execFileSync, spawnSync } from 'node:child_process'
import { createPublicKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCa, type Issuer, issue, signRequest } from '../../../src/pki/certificates.ts'
import { daysLeft, inspect, isFor, issuedBy, splitBundle } from '../../../src/pki/inspect.ts'
import { generateKey, type KeyType, privateKeyPem, publicKeyPem, readPrivateKey } from '../../../src/pki/keys.ts'
import { createRequest, readRequest } from '../../../src/pki/requests.ts'

const now = Date.now()
const _day = 86_400_000
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coe-pki-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function authority(type: KeyType = 'ec-p256', name = 'test-ca'): Promise<Issuer> {
  const { privateKey } = await generateKey(type)
  return { key: privateKey, certificate: createCa({ subject: [['CN', name]], now, days: 3650 }, privateKey) }
}

describe.each(['ec-p256', 'rsa-2048'] as const)('with %s keys', type => {
  it('a CA, a server and a client make a TLS handshake in which each trusts the other', async () => {
    const ca = await authority(type)
    const serverKey = await generateKey(type)
    const server = issue(
      {
        subject: [['CN', 'api']],
        dnsNames: ['localhost', '*.svc.example'],
        ipAddresses: ['127.0.0.1', '::1'],
        usages: ['digitalSignature', 'keyEncipherment'],
        extendedUsages: ['serverAuth'],
        now,
        days: 1,
      },
      serverKey.publicKey,
      ca,
    )
    const clientKey = await generateKey(type)
    const csr = createRequest(
      [
        ['CN', 'admin'],
        ['O', 'system:masters'],
      ],
      clientKey.privateKey,
    )
    const client = signRequest(csr, ca, { now, days: 1, grant: { extendedUsages: ['clientAuth'] } })

    const seen = await new Promise<{ authorized: boolean; subject: string }>((resolve, reject) => {
      const listener = createServer(
        { key: privateKeyPem(serverKey.privateKey), cert: server, ca: ca.certificate, requestCert: true },
        (socket: TLSSocket) => {
          const peer = socket.getPeerX509Certificate()
          resolve({ authorized: socket.authorized, subject: peer?.subject ?? '' })
          socket.end()
          listener.close()
        },
      )
      listener.listen(0, '127.0.0.1', () => {
        const { port } = listener.address() as { port: number }
        connect({
          host: '127.0.0.1',
          port,
          ca: ca.certificate,
          key: privateKeyPem(clientKey.privateKey),
          cert: client,
        }).on('error', reject)
      })
    })
    expect(seen).toEqual({ authorized: true, subject: 'CN=admin\nO=system:masters' })
    expect(isFor(client, clientKey.privateKey)).toBe(true)
    expect(isFor(client, serverKey.privateKey)).toBe(false)
  })

  it.skipIf(!hasOpenssl)('openssl accepts the chain, the names and the request', async () => {
    const root = await authority(type, 'root')
    const middleKey = await generateKey(type)
    const middle: Issuer = {
      key: middleKey.privateKey,
      certificate: issue(
        { subject: [['CN', 'middle']], ca: { pathLength: 0 }, usages: ['keyCertSign'], now, days: 100 },
        middleKey.publicKey,
        root,
      ),
    }
    const { privateKey, publicKey } = await generateKey()
    const leaf = issue(
      {
        subject: [
          ['C', 'CH'],
          ['O', 'Zürich'],
          ['CN', 'leaf'],
        ],
        dnsNames: ['a.example'],
        ipAddresses: ['2001:db8::1', '10.0.0.1'],
        extendedUsages: ['serverAuth', 'clientAuth'],
        now,
        days: 10,
      },
      publicKey,
      middle,
    )
    const verified = execFileSync('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-verify_hostname',
      'a.example',
      '-CAfile',
      file('root.pem', root.certificate),
      '-untrusted',
      file('middle.pem', middle.certificate),
      file('leaf.pem', leaf),
    ]).toString()
    expect(verified).toContain('OK')
    const text = execFileSync('openssl', [
      'x509',
      '-in',
      join(folder, 'leaf.pem'),
      '-noout',
      '-text',
      '-nameopt',
      'utf8,sep_comma_plus',
    ])
    expect(text.toString()).toContain('C=CH,O=Zürich,CN=leaf')
    expect(text.toString()).toContain('IP Address:2001:DB8:0:0:0:0:0:1')
    const csr = createRequest([['CN', 'x']], type === 'rsa-2048' ? middleKey.privateKey : privateKey, {
      dnsNames: ['b.example'],
    })
    const request = spawnSync('openssl', ['req', '-verify', '-noout', '-text', '-in', file('r.csr', csr)])
    expect(request.status).toBe(0)
    expect(request.stdout.toString()).toContain('DNS:b.example')
    expect(request.stderr.toString() + request.stdout).toMatch(/verify OK/)
  })

  it.skipIf(!hasOpenssl)(
    'signs a request that openssl made, subject verbatim, and grants only what was allowed',
    async () => {
      const ca = await authority()
      const key = file('k.pem', privateKeyPem((await generateKey(type)).privateKey))
      const csr = execFileSync('openssl', [
        'req',
        '-new',
        '-key',
        key,
        '-subj',
        '/O=system:masters/O=second/CN=admin',
        '-addext',
        'subjectAltName=DNS:x.example',
        '-addext',
        'keyUsage=critical,digitalSignature',
      ]).toString()
      const signed = signRequest(csr, ca, { now, days: 5, copy: ['keyUsage'] })
      const facts = inspect(signed)
      expect(facts.subject).toBe('O=system:masters, O=second, CN=admin')
      expect([facts.commonName, facts.organizations]).toEqual(['admin', ['system:masters', 'second']])
      expect(facts.dnsNames).toEqual([])
      const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: signed }).toString()
      expect(text).toContain('Digital Signature')
    },
  )
})

describe('a certificate', () => {
  it('is valid from a little before now, and has its own positive 16-byte serial number', async () => {
    const ca = await authority()
    const { publicKey } = await generateKey()
    const leaves = Array.from({ length: 50 }, () => issue({ subject: [['CN', 'x']], now, days: 1 }, publicKey, ca))
    const facts = leaves.map(inspect)
    expect(new Set(facts.map(f => f.serialNumber)).size).toBe(50)
    for (const { serialNumber } of facts) {
      expect(serialNumber).toMatch(/^[0-9A-F]{32}$/)
      expect(Number.parseInt(serialNumber[0] as string, 16)).toBeLessThan(8)
    }
    const seconds = (date: Date | undefined) => Math.round((date?.getTime() ?? 0) / 1000)
    expect(seconds(facts[0]?.notBefore)).toBe(Math.floor(now / 1000) - 300)
    expect(seconds(facts[0]?.notAfter)).toBe(Math.floor(now / 1000) + 86_400)
  })

  it('can outlive the year 2050', async () => {
    const { privateKey } = await generateKey()
    const pem = createCa({ subject: [['CN', 'old']], now: Date.UTC(2049, 11, 31), days: 365 * 5 }, privateKey)
    expect(inspect(pem).notBefore.getUTCFullYear()).toBe(2049)
    expect(inspect(pem).notAfter.getUTCFullYear()).toBe(2054)
  })

  it('names its issuer exactly as the issuer names itself, whichever program made the issuer', async () => {
    if (!hasOpenssl) return
    const { privateKey } = await generateKey()
    const key = file('foreign.key', privateKeyPem(privateKey))
    const made = execFileSync('openssl', ['req', '-x509', '-new', '-key', key, '-subj', '/CN=foreign', '-days', '9'])
    const leaf = issue({ subject: [['CN', 'x']], now, days: 1 }, (await generateKey()).publicKey, {
      certificate: made.toString(),
      key: privateKey,
    })
    expect(issuedBy(leaf, made.toString())).toBe(true)
    const check = spawnSync('openssl', ['verify', '-CAfile', file('foreign.pem', made.toString()), file('l.pem', leaf)])
    expect(check.stdout.toString() + check.stderr).toContain('OK')
  })

  it('belongs to the CA that signed it, not to another of the same name', async () => {
    const [one, other] = await Promise.all([authority(), authority()])
    const leaf = issue({ subject: [['CN', 'x']], now, days: 1 }, (await generateKey()).publicKey, one)
    expect(issuedBy(leaf, one.certificate)).toBe(true)
    expect(issuedBy(leaf, other.certificate)).toBe(false)
  })

  it('can be inspected, and says when it is due for renewal', async () => {
    const ca = await authority()
    const pem = issue(
      { subject: [['CN', 'x']], dnsNames: ['a', 'b'], ipAddresses: ['10.0.0.1', '::1'], now, days: 40 },
      (await generateKey()).publicKey,
      ca,
    )
    const facts = inspect(pem)
    expect(facts).toMatchObject({
      subject: 'CN=x',
      issuer: 'CN=test-ca',
      dnsNames: ['a', 'b'],
      isCa: false,
      keyType: 'ec',
    })
    expect(facts.ipAddresses).toEqual(['10.0.0.1', '0:0:0:0:0:0:0:1'])
    expect(Math.round(daysLeft(facts, now))).toBe(40)
    const caFacts = inspect(ca.certificate)
    expect(caFacts.isCa).toBe(true)
    expect(splitBundle(`${pem}text between\n${ca.certificate}`).map(one => inspect(one).subject)).toEqual([
      'CN=x',
      'CN=test-ca',
    ])
  })

  it('refuses an invalid address', async () => {
    const ca = await authority()
    const { publicKey } = await generateKey()
    expect(() => issue({ subject: [['CN', 'x']], ipAddresses: ['300.1.1.1'], now, days: 1 }, publicKey, ca)).toThrow(
      '300.1.1.1',
    )
  })
})

describe('a request', () => {
  it('is refused if its signature is by another key', async () => {
    const csr = createRequest([['CN', 'admin']], (await generateKey()).privateKey)
    const der = Buffer.from(csr.replace(/-----.*-----|\s/g, ''), 'base64')
    const at = der.indexOf('admin')
    der.write('nimda', at)
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`
    expect(() => readRequest(forged)).toThrow('not signed by its own key')
  })

  it('is refused if the text is not a request', () => {
    expect(() => readRequest('hello')).toThrow('no "BEGIN')
    expect(() => readRequest('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----')).toThrow()
  })
})

describe('keys', () => {
  it('are written in the form asked for, and read back', async () => {
    const ec = await generateKey('ec-p384')
    const rsa = await generateKey('rsa-2048')
    expect(privateKeyPem(ec.privateKey)).toMatch(/^-----BEGIN PRIVATE KEY-----/)
    expect(privateKeyPem(ec.privateKey, 'traditional')).toMatch(/^-----BEGIN EC PRIVATE KEY-----/)
    expect(privateKeyPem(rsa.privateKey, 'traditional')).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/)
    expect(publicKeyPem(rsa.publicKey)).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    for (const { privateKey, publicKey } of [ec, rsa]) {
      const again = createPublicKey(readPrivateKey(privateKeyPem(privateKey, 'traditional')))
      expect(again.equals(publicKey)).toBe(true)
    }
    expect(rsa.privateKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65537n })
  })

  it('make a self-signed CA', async () => {
    const { certificate } = await authority('ec-p384')
    const own = new X509Certificate(certificate)
    expect(own.verify(own.publicKey)).toBe(true)
  })
})
