import { createHash } from 'node:crypto'
import { isSecretHeader, isSecretName, secretNamePattern, secretSettingPattern } from './redact-names.ts'

/**
 * Credentials must not leave the program unless the user asks for them. Everything written to stderr, a log or a crash
 * report goes through here. Tokens become a short fingerprint, so that two can be compared. Passwords do not: eight
 * digits of a hash are enough to test guesses against.
 */
export interface Redactor {
  /** Hides this value from now on, wherever it appears and however it is encoded. */
  addSecret(value: string | undefined): void
  redact(text: string): string
  /** Headers with their secret values replaced. */
  headers(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string>
  /** A copy of a body parsed from JSON, without the values of secret names. */
  body(value: unknown): unknown
}

export const hidden = '[hidden]'

/** `{SHA256}` and the first eight digits: distinguishes tokens without revealing them. */
export const fingerprint = (value: string): string =>
  `{SHA256}${createHash('sha256').update(value).digest('hex').slice(0, 8)}`

/** Hiding shorter values would hide half of every text, and real secrets are longer. */
const shortestSecret = 4

export function createRedactor(): Redactor {
  const secrets = new Set<string>()
  let known: RegExp | undefined

  const redact = (text: string): string => {
    if (secrets.size && !known) known = patternOf(secrets)
    const without = known ? text.replace(known, hidden) : text
    return suspicious.test(without) ? redactShapes(without) : without
  }

  return {
    addSecret(value) {
      if (value === undefined || value.length < shortestSecret) return
      for (const form of formsOf(value)) secrets.add(form)
      known = undefined
    },
    redact,
    headers(headers) {
      const shown: Record<string, string> = {}
      for (const [name, value] of Object.entries(headers)) {
        if (value === undefined) continue
        const text = typeof value === 'string' ? value : value.join(', ')
        shown[name] = isSecretHeader(name) ? headerValue(text) : redact(text)
      }
      return shown
    },
    body: value => redactBody(value, redact),
  }
}

/** The secret as it appears in JSON, in an address, in base64. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())]
  // short base64 would match by chance
  return secret.length >= 8 ? [...forms, base64, base64.replace(/=+$/, '')] : forms
}

/** Longest first, so that no tail of a longer secret is left; short ones only as complete words. */
function patternOf(secrets: ReadonlySet<string>): RegExp {
  const alternatives = [...secrets]
    .sort((a, b) => b.length - a.length)
    .map(secret => {
      const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      return secret.length < 8 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
    })
  return new RegExp(alternatives.join('|'), 'gu')
}

/** `Bearer` and `Basic` stay: they show which kind of login was tried. */
function headerValue(text: string): string {
  const scheme = /^(?:Bearer|Basic|Digest|Negotiate) (?=\S)/i.exec(text)?.[0] ?? ''
  return scheme + fingerprint(text.slice(scheme.length))
}

function redactBody(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(item => redactBody(item, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      // `password` is also the name of a Keystone method, whose object holds the secret
      const secret = isSecretName(name) && (typeof item !== 'object' || Array.isArray(item)) && item !== null
      return [name, secret && name !== 'methods' ? hidden : redactBody(item, redact)]
    }),
  )
}

/** A cheap test that spares harmless text the other patterns. */
const suspicious =
  /PRIVATE KEY|LS0tLS1CRUdJTi|gAAAAA|eyJ|:\/\/[^\s/]*@|pass|secret|token|receipt|cookie|authorization|kubeconfig|signature|key|trust|bearer|basic /i

const quotedValue = `"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?`
const bareValue = '[^\\s,;&"\'}\\]]+'
const patterns: [RegExp, string | ((...groups: string[]) => string)][] = [
  // a truncated key has no end line: everything after its beginning is hidden
  [/-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, hidden],
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/]+={0,2}/g, base64 => (isPrivateKey(base64) ? hidden : base64)],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, `$1${hidden}@`],
  // headers in a trace
  [
    /^([^\w\n]*(?:x-(?:auth|subject|service|storage)-token|(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?openstack-auth-receipt)["' \t]*:[ \t]*)(.+)$/gim,
    (_all, name, value) => name + headerValue(value.trim()),
  ],
  [/\b(Bearer|Basic) ([A-Za-z0-9._~+/=-]{8,})/g, (_all, scheme, value) => `${scheme} ${fingerprint(value)}`],
  // Keystone's Fernet tokens and JSON web tokens have a recognisable form
  [/(?<![A-Za-z0-9_-])gAAAAA[A-Za-z0-9_-]{40,}={0,2}/g, token => fingerprint(token)],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, token => fingerprint(token)],
  // `"password": "x"`, also within a text that is itself JSON, where quotes are escaped
  [
    new RegExp(
      `(\\\\*["'](?:os[-_])?(?:${secretNamePattern})\\\\*["']\\s*:\\s*)(\\\\+"[^"\\\\]*\\\\+"|${quotedValue}|\\d+)`,
      'gi',
    ),
    `$1"${hidden}"`,
  ],
  // `token: x` at the start of a line of YAML, and `?token=x`, `OS_PASSWORD=x`, `--os-password=x`
  [
    new RegExp(`^([ \\t-]*(?:os[-_])?(?:${secretSettingPattern})[ \\t]*:[ \\t]+)(${quotedValue}|[^\\s{[|>].*)$`, 'gim'),
    `$1${hidden}`,
  ],
  [
    new RegExp(`((?:^|[?&;\\s"'-]|\\bos_)(?:os[-_])?(?:${secretSettingPattern})=)(${quotedValue}|${bareValue})`, 'gim'),
    `$1${hidden}`,
  ],
]

function redactShapes(text: string): string {
  let out = text
  for (const [pattern, replacement] of patterns) out = out.replace(pattern, replacement as string)
  return out
}

const isPrivateKey = (base64: string): boolean =>
  Buffer.from(base64, 'base64').toString('latin1').includes('PRIVATE KEY')
