import { createHash } from 'node:crypto'
import { isSecretHeader, isSecretName, secretNamePattern, secretSettingPattern } from './redact-names.ts'

/**
 * Nothing that lets somebody in may leave the program but where the user asked for it. Everything written to stderr, a log or a
 * crash report goes through here. Tokens become a short fingerprint, so that two can be compared; what people choose
 * themselves does not: eight digits are enough to test guesses against.
 */
export interface Redactor {
  /** From now on this value is hidden wherever it turns up, however it is encoded. */
  addSecret(value: string | undefined): void
  redact(text: string): string
  /** Header values fit to be shown. */
  headers(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string>
  /** A copy of a body, as parsed from JSON, without the values of secret names. */
  body(value: unknown): unknown
}

export const hidden = '[hidden]'

/** `{SHA256}` and the first eight digits: tells tokens apart, gives none away. */
export const fingerprint = (value: string): string =>
  `{SHA256}${createHash('sha256').update(value).digest('hex').slice(0, 8)}`

/** Shorter ones would hide half of every text; nobody guards anything with three letters. */
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

/** As the secret looks in JSON, in an address, in base64. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())]
  // short base64 would match by chance
  return secret.length >= 8 ? [...forms, base64, base64.replace(/=+$/, '')] : forms
}

/** Longest first, so that no tail of a longer secret is left; short ones only as words of their own. */
function patternOf(secrets: ReadonlySet<string>): RegExp {
  const alternatives = [...secrets]
    .sort((a, b) => b.length - a.length)
    .map(secret => {
      const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      return secret.length < 8 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
    })
  return new RegExp(alternatives.join('|'), 'gu')
}

/** `Bearer` and `Basic` stay: they tell how somebody tried to get in. */
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
      // `password` is also the name of Keystone's method, with the secret further in
      const secret = isSecretName(name) && (typeof item !== 'object' || Array.isArray(item)) && item !== null
      return [name, secret && name !== 'methods' ? hidden : redactBody(item, redact)]
    }),
  )
}

/** One cheap look that spares harmless text the rest. */
const suspicious =
  /PRIVATE KEY|LS0tLS1CRUdJTi|gAAAAA|eyJ|:\/\/[^\s/]*@|pass|secret|token|receipt|cookie|authorization|kubeconfig|signature|key|trust|bearer|basic /i

const quotedValue = `"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?`
const bareValue = '[^\\s,;&"\'}\\]]+'
const patterns: [RegExp, string | ((...groups: string[]) => string)][] = [
  // a key that was cut off has no end line; then all that follows goes
  [/-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, hidden],
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/]+={0,2}/g, base64 => (isPrivateKey(base64) ? hidden : base64)],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, `$1${hidden}@`],
  // headers as a trace prints them
  [
    /^([^\w\n]*(?:x-(?:auth|subject|service|storage)-token|(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?openstack-auth-receipt)["' \t]*:[ \t]*)(.+)$/gim,
    (_all, name, value) => name + headerValue(value.trim()),
  ],
  [/\b(Bearer|Basic) ([A-Za-z0-9._~+/=-]{8,})/g, (_all, scheme, value) => `${scheme} ${fingerprint(value)}`],
  // Keystone's Fernet tokens and JSON web tokens are known by their looks
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
