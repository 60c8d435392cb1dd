import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRedactor, fingerprint, hidden } from '../../../src/io/redact.ts'

const fernet = `gAAAAA${'Bm9-x_'.repeat(20)}==`
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYTpkZWZhdWx0In0.c2lnbmF0dXJlLWhlcmU'
const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const { redact, headers, body } = createRedactor()

test.each([
  ['a token header in a trace', `> X-Auth-Token: ${fernet}\n> Accept: */*`, fernet, '> Accept: */*'],
  ['a lower-case bearer header', `authorization: Bearer ${jwt}`, jwt, 'Bearer {SHA256}'],
  ['a cookie', 'Set-Cookie: session=abcdef0123; Path=/', 'abcdef0123', 'Set-Cookie: {SHA256}'],
  ['a token on its own', `the token ${fernet} has expired`, fernet, 'has expired'],
  ['a service account token', `sent ${jwt} to c2`, jwt, 'to c2'],
  ['a JSON body', '{"user": {"name": "demo", "password": "pa\\"ss"}}', 'ss"', '"name": "demo"'],
  ['a number as a password', '{"password": 12345678, "x": 1}', '12345678', '"x": 1'],
  ['JSON within JSON', '{"body": "{\\"password\\": \\"hunter22\\", \\"n\\": 1}"}', 'hunter22', '\\"n\\": 1'],
  ['a body that was cut off', '{"user": {"password": "hunter2', 'hunter2', '"user"'],
  [
    'YAML',
    'users:\n- name: a\n  user:\n    client-key-data: TFMwdExTMUNS\n    token: abc\nkind: Config',
    'TFMwdExTMUNS',
    'kind: Config',
  ],
  ['a Python dictionary', "{'secret': 'hunter22', 'id': 'x'}", 'hunter22', "'id': 'x'"],
  ['an address with a user', 'proxy http://me:hunter22@proxy:3128/x failed', 'hunter22', '@proxy:3128/x failed'],
  ['a query parameter', 'GET https://h/x?token=hunter22&limit=5', 'hunter22', '&limit=5'],
  ['a variable', 'OS_PASSWORD=hunter22 OS_USERNAME=me', 'hunter22', 'OS_USERNAME=me'],
  ['an option', 'coe --os-password=hunter22 cluster list', 'hunter22', 'cluster list'],
  ['a private key', `before\n${pem}after`, pem.split('\n')[1] as string, 'after'],
  ['a private key that was cut off', `before ${pem.slice(0, 100)}`, pem.slice(40, 80), 'before'],
  [
    'a private key in base64',
    `x ${Buffer.from(pem).toString('base64')} y`,
    Buffer.from(pem).toString('base64').slice(40, 80),
    ' y',
  ],
])('%s is hidden, and what stands around it stays', (_what, given, secret, rest) => {
  const shown = redact(given)
  expect(shown).not.toContain(secret)
  expect(shown).toContain(rest)
})

test('text that only mentions secrets stays unchanged', () => {
  const harmless = [
    'your password is wrong; set OS_PASSWORD or --os-password',
    'the token has expired (HTTP 401)',
    'cannot read key "spec": it is not a map',
    'KUBECONFIG=/home/me/config --kubeconfig=/home/me/other',
    '{"methods": ["password"], "keypair": "mykey", "token_ttl": 5}',
    'https://10.0.0.1:6443/api/v1/secrets?limit=500',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB').toString('base64'),
  ]
  for (const text of harmless) expect(redact(text)).toBe(text)
})

test("headers show a token's fingerprint, not the token", () => {
  const shown = headers({
    'X-Auth-Token': fernet,
    Authorization: `Bearer ${jwt}`,
    accept: 'text/plain',
    'x-none': undefined,
  })
  expect(shown).toEqual({
    'X-Auth-Token': fingerprint(fernet),
    Authorization: `Bearer ${fingerprint(jwt)}`,
    accept: 'text/plain',
  })
  expect(fingerprint(fernet)).toMatch(/^\{SHA256\}[0-9a-f]{8}$/)
  expect(redact(`X-Subject-Token: ${fernet}`)).toBe(`X-Subject-Token: ${fingerprint(fernet)}`)
})

test("Keystone's bodies keep their shape", () => {
  const request = {
    auth: {
      identity: { methods: ['password'], password: { user: { name: 'demo', password: 'hunter22' } } },
      token: { id: fernet },
    },
    credential: { 'client-key-data': 'abc', kubeconfig: 'apiVersion: v1', note: `uses ${fernet}` },
  }
  expect(body(request)).toEqual({
    auth: {
      identity: { methods: ['password'], password: { user: { name: 'demo', password: hidden } } },
      token: { id: fingerprint(fernet) },
    },
    credential: { 'client-key-data': hidden, kubeconfig: hidden, note: `uses ${fingerprint(fernet)}` },
  })
})

test('a known secret is hidden everywhere, in every encoding', () => {
  const secret = 'p@ss "wörd"/1'
  const { redact, addSecret } = createRedactor()
  addSecret(secret)
  for (const form of [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ]) {
    expect(redact(`<${form}>`)).not.toMatch(/w(ö|%C3)rd|cEBzcy/)
    expect(redact(`<${form}>`)).toContain(hidden)
  }
})

test('no tail is left of a longer secret with the same beginning, and a short secret does not cut into words', () => {
  const { redact, addSecret } = createRedactor()
  for (const secret of ['(a|b)*/[c]-$', 'hunter22', 'hunter22-extended', 'demo', 'abc', undefined]) addSecret(secret)
  expect(redact('hunter22-extended hunter22 (a|b)*/[c]-$')).toBe(`${hidden} ${hidden} ${hidden}`)
  expect(redact('demo democracy abc')).toBe(`${hidden} democracy abc`)
})

test('a megabyte of harmless or hostile text is redacted fast', () => {
  const start = performance.now()
  redact('a line of a log with nothing in it\n'.repeat(30_000))
  redact(`"password": "${'\\'.repeat(100_000)}`)
  redact('-----BEGIN PRIVATE KEY-----'.repeat(2_000))
  redact(`${'a'.repeat(50_000)}://${'b'.repeat(50_000)}`)
  redact(`token${' '.repeat(50_000)}x`)
  redact(`${'\n'.repeat(50_000)}token`)
  redact('secret a.-'.repeat(20_000))
  redact('eyJ-gAAAAA-'.repeat(20_000))
  expect(performance.now() - start).toBeLessThan(2_000)
})
