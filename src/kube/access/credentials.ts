/** The credentials of a kubeconfig user: headers for each request, and a client certificate if a plugin returns one. */
import { readFile } from 'node:fs/promises'
import type { KubeAccess } from '../../config/kubeconfig/kubeconfig.ts'
import type { Turns } from '../../core/concurrency.ts'
import { CoeError, denied, errorCode, usage } from '../../core/errors.ts'
import { shareWork } from '../../core/shared-work.ts'
import type { World } from '../../core/world.ts'
import type { Tracer } from '../../http/trace.ts'
import type { oidcTokens } from './client.ts'
import type { ExecCredential, Prompting } from './exec-credential.ts'
import { impersonation } from './impersonation.ts'

export interface CredentialOptions {
  world: World
  userAgent: string
  tracer?: Tracer | undefined
  prompting: Prompting
  /** How long a plugin may run, if not the usual time. */
  pluginMs?: number | undefined
  /** Limits how many plugins run at a time. */
  pluginTurn?: Turns | undefined
  onStderr(text: string): void
  addSecret(value: string | undefined): void
}

export interface Identification {
  headers: Readonly<Record<string, string | string[]>>
  /** From a plugin, PEM. The kubeconfig's own is in KubeAccess. */
  cert?: string | undefined
  key?: string | undefined
}

export interface Credentials {
  /** @param renew the server refused the last credentials: do not use cached ones */
  identify(renew: boolean, signal: AbortSignal | undefined): Promise<Identification>
  /** May a second try with new credentials succeed after a 401? */
  readonly canRenew: boolean
}

/** client-go keeps a token file's content for a minute; kubelet replaces the file well before the token expires. */
const tokenFileMs = 60_000
/** Credentials that expire this soon are renewed first, since the request takes time as well. */
const marginMs = 30_000

export function makeCredentials(access: KubeAccess, options: CredentialOptions): Credentials {
  const { user } = access
  const as = impersonation(user, access)
  const source = bearer(access, options)
  return {
    canRenew: source?.canRenew ?? false,
    async identify(renew, signal) {
      const { authorization, ...certificate } = (await source?.get(renew, signal)) ?? {}
      return { headers: { ...(authorization ? { authorization } : {}), ...as }, ...certificate }
    },
  }
}

interface Credential {
  authorization?: string
  cert?: string | undefined
  key?: string | undefined
}

interface Source {
  canRenew: boolean
  get(renew: boolean, signal: AbortSignal | undefined): Promise<Credential>
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const whoseOf = (access: KubeAccess): string =>
  access.userEntry === undefined ? `context "${access.name}"` : `user "${access.userEntry}" (context "${access.name}")`

/** The same order as kubectl: token file, token, basic auth, then plugin, then provider. */
function bearer(access: KubeAccess, options: CredentialOptions): Source | undefined {
  const { user } = access
  const tokenFile = textOf(user.tokenFile)
  const token = textOf(user.token)
  const username = textOf(user.username)
  const fixed = (authorization: string): Source => {
    options.addSecret(authorization.replace(/^\S+ /, ''))
    return { canRenew: false, get: async () => ({ authorization }) }
  }
  if (tokenFile) return fromFile(tokenFile, access, options)
  if (token) return fixed(`Bearer ${token}`)
  if (username) {
    const password = textOf(user.password) ?? ''
    options.addSecret(password)
    return fixed(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  }
  if (user.exec) return fromPlugin(user.exec as Record<string, unknown>, access, options)
  if (user['auth-provider']) return fromProvider(user['auth-provider'] as Record<string, unknown>, access, options)
  return undefined
}

function fromFile(path: string, access: KubeAccess, { world, addSecret }: CredentialOptions): Source {
  let kept: { token: string; at: number } | undefined
  return {
    canRenew: true,
    async get(renew) {
      if (kept && !renew && world.clock.now() - kept.at < tokenFileMs) return { authorization: `Bearer ${kept.token}` }
      const token = await readFile(path, 'utf8').then(
        text => text.trim(),
        error => {
          throw denied(`cannot read ${path}, the token file of ${whoseOf(access)} (${errorCode(error)})`, {
            hint: `"tokenFile" in ${access.file} names this file`,
            cause: error,
          })
        },
      )
      if (!token) {
        throw denied(`${path}, the token file of ${whoseOf(access)}, is empty`, {
          hint: 'the program that writes it has not done so yet, or failed',
        })
      }
      addSecret(token)
      kept = { token, at: world.clock.now() }
      return { authorization: `Bearer ${token}` }
    },
  }
}

function fromPlugin(value: Record<string, unknown>, access: KubeAccess, options: CredentialOptions): Source {
  const { world, addSecret } = options
  let kept: ExecCredential | undefined
  // concurrent requests share one run of the plugin
  const ask = shareWork(async (signal): Promise<ExecCredential> => {
    const { execConfig, runPlugin } = await import('./exec-credential.ts')
    const whose = whoseOf(access)
    const cluster = {
      server: access.server,
      'certificate-authority-data': access.ca && Buffer.from(access.ca).toString('base64'),
      'tls-server-name': access.tlsServerName,
      'insecure-skip-tls-verify': access.insecure || undefined,
      'proxy-url': access.proxyUrl,
      config: access.execConfig,
    }
    const credential = await runPlugin(execConfig(value, whose), cluster, {
      ...options,
      limitMs: options.pluginMs,
      turn: options.pluginTurn,
      whose,
      signal,
    })
    addSecret(credential.token)
    addSecret(credential.clientKeyData)
    return credential
  })
  return {
    canRenew: true,
    async get(renew, signal) {
      if (renew || (kept?.expires !== undefined && kept.expires - marginMs < world.clock.now())) kept = undefined
      kept ??= await ask(signal)
      return {
        ...(kept.token ? { authorization: `Bearer ${kept.token}` } : {}),
        cert: kept.clientCertificateData,
        key: kept.clientKeyData,
      }
    },
  }
}

function fromProvider(value: Record<string, unknown>, access: KubeAccess, options: CredentialOptions): Source {
  const { addSecret } = options
  const whose = whoseOf(access)
  if (value.name !== 'oidc') {
    throw usage(`${whose} has the auth-provider "${String(value.name)}", which Kubernetes no longer supports`, {
      hint: "its vendor offers a credential plugin instead: create the kubeconfig again with the vendor's tool",
    })
  }
  const config = (value.config ?? {}) as Record<string, string>
  let tokens: ReturnType<typeof oidcTokens> | undefined
  // concurrent requests share one renewal
  const renew = shareWork(async signal => {
    tokens ??= (await import('./client.ts')).oidcTokens(config)
    return tokens({ ...options, signal })
  })
  return {
    canRenew: false,
    async get(_renew, signal) {
      for (const secret of ['refresh-token', 'client-secret']) addSecret(config[secret])
      const token = await renew(signal).catch(cause => {
        signal?.throwIfAborted()
        throw denied(
          `the token of ${whose} has expired, and ${config['idp-issuer-url']} did not renew it: ${cause instanceof CoeError ? cause.message : String(cause)}`,
          {
            hint: 'log in again with the tool that made this kubeconfig',
            cause,
          },
        )
      })
      if (!token) {
        throw denied(`the token of ${whose} has expired, and the kubeconfig has no refresh token`, {
          hint: 'log in again with the tool that made this kubeconfig',
        })
      }
      addSecret(token)
      return { authorization: `Bearer ${token}` }
    },
  }
}
