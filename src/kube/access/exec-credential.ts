/** Credential plugins (`exec:` of a kubeconfig user): run by the protocol that kubectl speaks, and no oftener than needed. */

import { parseBounded } from '../../core/bounded-json.ts'
import type { Turns } from '../../core/concurrency.ts'
import { type CoeError, denied, errorCode, failed, usage } from '../../core/errors.ts'
import { mismatchText, nullable, object, text } from '../../core/shape.ts'
import type { World } from '../../core/world.ts'
import { type ProcessResult, runProcess } from './plugin-process.ts'

export interface ExecConfig {
  command: string
  args: string[]
  env: Record<string, string>
  apiVersion: string
  installHint?: string | undefined
  provideClusterInfo: boolean
  interactiveMode: 'Never' | 'IfAvailable' | 'Always'
}

/** What a plugin may be told about the cluster. */
export interface ClusterInfo {
  server: string
  'certificate-authority-data'?: string | undefined
  'tls-server-name'?: string | undefined
  'insecure-skip-tls-verify'?: boolean | undefined
  'proxy-url'?: string | undefined
  /** The extension `client.authentication.k8s.io/exec` of the cluster entry. */
  config?: unknown
}

/**
 * `allow`: a plugin may ask the user at the terminal. `without`: nobody is there, and plugins are told so. `never`: the same, in
 * a look at clusters that nobody named; a plugin that can only ask (interactiveMode: Always) is left out of it.
 */
export type Prompting = 'allow' | 'without' | 'never'

export interface ExecContext {
  world: World
  /** `user "x" of context "c2"`, for errors. */
  whose: string
  prompting: Prompting
  signal?: AbortSignal | undefined
  /** How long it may run, where that is not the usual time. */
  limitMs?: number | undefined
  /** Plugins of many contexts are started a few at a time; waiting for that does not count as running. */
  turn?: Turns | undefined
  /** What the plugin says on stderr: a link to open, a code to type. */
  onStderr(text: string): void
}

export interface ExecCredential {
  token?: string | undefined
  clientCertificateData?: string | undefined
  clientKeyData?: string | undefined
  /** Milliseconds since the epoch; absent: for the rest of the run. */
  expires?: number | undefined
}

const usualMs = { allow: 300_000, without: 60_000, never: 20_000 }

/** In the details of the error: it was not even tried. */
export const notStarted = 'PLUGIN_NOT_STARTED'

export async function runPlugin(
  config: ExecConfig,
  cluster: ClusterInfo,
  context: ExecContext,
): Promise<ExecCredential> {
  const { prompting, whose } = context
  if (prompting === 'never' && config.interactiveMode === 'Always') {
    throw denied(
      `${whose} needs the credential plugin "${config.command}", which asks at a terminal (interactiveMode: Always); it was not started`,
      {
        hint: 'a command that names this cluster starts it, at a terminal',
        details: { code: notStarted },
      },
    )
  }
  if (prompting !== 'allow' && config.interactiveMode === 'Always') {
    throw denied(
      `the credential plugin "${config.command}" of ${whose} wants to ask at a terminal, and there is none`,
      {
        hint: 'run this in a terminal, or use a user with a token or certificate',
      },
    )
  }
  const interactive = prompting === 'allow' && config.interactiveMode !== 'Never'
  const info = {
    apiVersion: config.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive, ...(config.provideClusterInfo ? { cluster } : {}) },
  }
  const env = { ...context.world.env, ...config.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
  const inTurn: Turns = context.turn ?? (work => work())
  return readAnswer(await inTurn(() => run(config, env, interactive, context)), config, whose)
}

async function run(
  config: ExecConfig,
  env: Record<string, string | undefined>,
  interactive: boolean,
  context: ExecContext,
): Promise<string> {
  const { world, whose, onStderr } = context
  const { command, args } = config
  const limit = context.limitMs ?? usualMs[context.prompting]
  const timeout = AbortSignal.timeout(limit)
  const signal = context.signal ? AbortSignal.any([context.signal, timeout]) : timeout
  let ended: ProcessResult
  try {
    ended = await runProcess(world, { command, args, env, interactive, signal, onStderr })
  } catch (error) {
    context.signal?.throwIfAborted()
    if (timeout.aborted) {
      throw denied(`the credential plugin "${config.command}" of ${whose} gave no answer within ${limit / 1000} s`, {
        cause: error,
        hint: 'does it wait for a login? Log in with the tool that it belongs to, then run this again',
      })
    }
    throw couldNotStart(config, whose, error)
  }
  if (ended.code === 0) return ended.stdout
  const said = ended.stderr.trim().split('\n').slice(-3).join(' | ')
  const how = ended.code === null ? `was ended by ${ended.signal}` : `failed (exit ${ended.code})`
  throw denied(`the credential plugin "${config.command}" of ${whose} ${how}${said ? `: ${said}` : ''}`, {
    hint: 'log in anew with the tool that it belongs to, then run this again',
  })
}

function couldNotStart(config: ExecConfig, whose: string, error: unknown): CoeError {
  const code = errorCode(error)
  const why = code === 'ENOENT' ? 'is not installed (or not in PATH)' : `cannot be started (${code ?? String(error)})`
  return denied(`the credential plugin "${config.command}" of ${whose} ${why}`, {
    hint: config.installHint ?? 'install it, or correct "command" in the kubeconfig',
    cause: error,
    details: { code },
  })
}

const maybe = nullable(text)
const credentialShape = object(
  {},
  {
    status: nullable(
      object({}, { token: maybe, clientCertificateData: maybe, clientKeyData: maybe, expirationTimestamp: maybe }),
    ),
  },
)

function readAnswer(printed: string, config: ExecConfig, whose: string): ExecCredential {
  const wrong = (what: string) =>
    failed(`the credential plugin "${config.command}" of ${whose} ${what}`, {
      hint: 'run it by hand and look at what it prints; a newer version of it may do',
    })
  let answer: { apiVersion?: string; kind?: string; status?: Record<string, string | null | undefined> | null }
  try {
    answer = parseBounded(printed) as typeof answer
  } catch {
    throw wrong('printed no JSON') // never the text: it may hold a token
  }
  if (answer?.kind !== 'ExecCredential') throw wrong('printed something that is no ExecCredential')
  if (answer.apiVersion !== config.apiVersion) {
    throw wrong(`answers as ${answer.apiVersion}, and the kubeconfig wants ${config.apiVersion}`)
  }
  const mismatch = credentialShape(answer)
  if (mismatch) throw wrong(`printed what no ExecCredential has: ${mismatchText(mismatch)}`)
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.status ?? {}
  if (!token && !(clientCertificateData && clientKeyData))
    throw wrong('gave neither a token nor a certificate with its key')
  const expires = expirationTimestamp ? Date.parse(expirationTimestamp) : undefined
  if (Number.isNaN(expires)) throw wrong(`gave the time of expiry "${expirationTimestamp}", which is none`)
  return {
    token: token ?? undefined,
    clientCertificateData: clientCertificateData ?? undefined,
    clientKeyData: clientKeyData ?? undefined,
    expires,
  }
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** The `exec` mapping of a user, checked. */
export function execConfig(value: Record<string, unknown>, whose: string): ExecConfig {
  const text = (key: string) => (typeof value[key] === 'string' ? (value[key] as string) : undefined)
  const command = text('command')
  const apiVersion = text('apiVersion') ?? ''
  if (!command) throw usage(`the credential plugin of ${whose} has no command`)
  if (!versions.includes(apiVersion)) {
    throw usage(
      `the credential plugin "${command}" of ${whose} speaks ${apiVersion || 'no version'}, which no longer exists`,
      {
        hint: `apiVersion can be ${versions.join(' or ')}: update the plugin, and write its kubeconfig anew`,
      },
    )
  }
  const mode = text('interactiveMode') ?? 'IfAvailable'
  if (mode !== 'Never' && mode !== 'IfAvailable' && mode !== 'Always') {
    throw usage(`interactiveMode of ${whose} is "${mode}"; it can be Never, IfAvailable or Always`)
  }
  const pairs = (Array.isArray(value.env) ? value.env : []) as { name?: unknown; value?: unknown }[]
  return {
    command,
    args: (Array.isArray(value.args) ? value.args : []).map(String),
    env: Object.fromEntries(pairs.filter(e => e?.name !== undefined).map(e => [String(e.name), String(e.value ?? '')])),
    apiVersion,
    installHint: text('installHint')?.trim(),
    provideClusterInfo: value.provideClusterInfo === true || value.provideClusterInfo === 'true',
    interactiveMode: mode,
  }
}
