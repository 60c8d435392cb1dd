/** Runs credential plugins (`exec:` of a kubeconfig user) as kubectl does, and no more often than needed. */

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

/** The facts about the cluster that a plugin gets if it asks for them (`provideClusterInfo`). */
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
 * `allow`: a plugin may prompt the user at the terminal. `without`: there is no terminal, and plugins are told so. `never`: the same,
 * for clusters that the user did not name; a plugin that always prompts (interactiveMode: Always) is not started.
 */
export type Prompting = 'allow' | 'without' | 'never'

export interface ExecContext {
  world: World
  /** `user "x" of context "c2"`, for errors. */
  whose: string
  prompting: Prompting
  signal?: AbortSignal | undefined
  /** How long it may run, if not the usual time. */
  limitMs?: number | undefined
  /** Limits how many plugins run at a time; the wait for a turn does not count as running. */
  turn?: Turns | undefined
  /** Receives what the plugin prints on stderr: a link to open, a code to type. */
  onStderr(text: string): void
}

export interface ExecCredential {
  token?: string | undefined
  clientCertificateData?: string | undefined
  clientKeyData?: string | undefined
  /** Milliseconds since the epoch; absent: valid for the rest of the run. */
  expires?: number | undefined
}

const usualMs = { allow: 300_000, without: 60_000, never: 20_000 }

/** The code in the error's details when the plugin was not started. */
export const notStarted = 'PLUGIN_NOT_STARTED'

export async function runPlugin(
  config: ExecConfig,
  cluster: ClusterInfo,
  context: ExecContext,
): Promise<ExecCredential> {
  const { prompting, whose } = context
  if (prompting === 'never' && config.interactiveMode === 'Always') {
    throw denied(
      `${whose} needs the credential plugin "${config.command}", which prompts at a terminal (interactiveMode: Always); it was not started`,
      {
        hint: 'name this cluster in a command, at a terminal: then the plugin is started',
        details: { code: notStarted },
      },
    )
  }
  if (prompting !== 'allow' && config.interactiveMode === 'Always') {
    throw denied(
      `the credential plugin "${config.command}" of ${whose} needs a terminal to prompt, and there is none`,
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
      throw denied(`the credential plugin "${config.command}" of ${whose} did not answer within ${limit / 1000} s`, {
        cause: error,
        hint: 'it may be waiting for a login: log in with its own tool, then run this again',
      })
    }
    throw couldNotStart(config, whose, error)
  }
  if (ended.code === 0) return ended.stdout
  const lastLines = ended.stderr.trim().split('\n').slice(-3).join(' | ')
  const how = ended.code === null ? `was killed by ${ended.signal}` : `failed (exit ${ended.code})`
  throw denied(`the credential plugin "${config.command}" of ${whose} ${how}${lastLines ? `: ${lastLines}` : ''}`, {
    hint: 'log in again with the tool that it belongs to, then run this again',
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
      hint: 'run it by hand and look at its output; a newer version may work',
    })
  let answer: { apiVersion?: string; kind?: string; status?: Record<string, string | null | undefined> | null }
  try {
    answer = parseBounded(printed) as typeof answer
  } catch {
    throw wrong('did not print JSON') // the text itself is left out: it may contain a token
  }
  if (answer?.kind !== 'ExecCredential') throw wrong('did not print an ExecCredential')
  if (answer.apiVersion !== config.apiVersion) {
    throw wrong(`printed apiVersion ${answer.apiVersion}, but the kubeconfig says ${config.apiVersion}`)
  }
  const mismatch = credentialShape(answer)
  if (mismatch) throw wrong(`printed an invalid ExecCredential: ${mismatchText(mismatch)}`)
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.status ?? {}
  if (!token && !(clientCertificateData && clientKeyData))
    throw wrong('returned neither a token nor a certificate with its key')
  const expires = expirationTimestamp ? Date.parse(expirationTimestamp) : undefined
  if (Number.isNaN(expires)) throw wrong(`returned the expiry time "${expirationTimestamp}", which is not a date`)
  return {
    token: token ?? undefined,
    clientCertificateData: clientCertificateData ?? undefined,
    clientKeyData: clientKeyData ?? undefined,
    expires,
  }
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** Checks the `exec` mapping of a kubeconfig user. */
export function execConfig(value: Record<string, unknown>, whose: string): ExecConfig {
  const text = (key: string) => (typeof value[key] === 'string' ? (value[key] as string) : undefined)
  const command = text('command')
  const apiVersion = text('apiVersion') ?? ''
  if (!command) throw usage(`the credential plugin of ${whose} has no command`)
  if (!versions.includes(apiVersion)) {
    throw usage(
      `the credential plugin "${command}" of ${whose} uses ${apiVersion ? `apiVersion ${apiVersion}, which no longer exists` : 'no apiVersion'}`,
      {
        hint: `apiVersion can be ${versions.join(' or ')}: update the plugin, then create the kubeconfig again`,
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
