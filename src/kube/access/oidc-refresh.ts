/** Gets a new OpenID token from its issuer: through the proxy, with time limits, and with a checked answer. */
import { readFile } from 'node:fs/promises'
import { failed } from '../../core/errors.ts'
import { list, nullable, number, object, text } from '../../core/shape.ts'
import type { World } from '../../core/world.ts'
import { readAnswer } from '../../http/answer.ts'
import type { Tracer } from '../../http/trace.ts'
import { makeEndpoint } from '../../http/transport.ts'

export interface IssuerAccess {
  world: World
  userAgent: string
  tracer?: Tracer | undefined
  signal?: AbortSignal | undefined
}

export interface Renewed {
  id_token: string
  refresh_token: string
  /** Seconds since the epoch. */
  expires_at: number
}

const name = 'the issuer of the OpenID token'
const limitMs = 15_000
const discoveryShape = object({ token_endpoint: text }, { token_endpoint_auth_methods_supported: list(text) })
const answerShape = object({ id_token: text }, { refresh_token: nullable(text), expires_in: nullable(number) })

export async function renewed(
  config: Readonly<Record<string, string>>,
  refreshToken: string,
  access: IssuerAccess,
): Promise<Renewed> {
  const issuer = (config['idp-issuer-url'] ?? '').replace(/\/+$/, '')
  const ca = await authority(config)
  const ask = async <T>(url: string, shape: typeof answerShape, form?: Record<string, string>, login?: string) => {
    const { world, userAgent, tracer, signal } = access
    const { origin, pathname, search } = new URL(url)
    const endpoint = await makeEndpoint({
      name,
      url: origin,
      tls: { ca },
      timeoutMs: limitMs,
      userAgent,
      tracer,
      env: world.env,
    })
    const response = await endpoint.request({
      method: form ? 'POST' : 'GET',
      path: pathname + search,
      headers: {
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(login ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` } : {}),
      },
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
      signal,
    })
    if (response.status !== 200) {
      throw failed(`${name} refused to renew it (${url}, HTTP ${response.status})`, {
        details: { status: response.status },
      })
    }
    return readAnswer<T>(response, { name, url }, shape)
  }
  const found = await ask<{ token_endpoint: string; token_endpoint_auth_methods_supported?: string[] }>(
    `${issuer}/.well-known/openid-configuration`,
    discoveryShape,
  )
  const { 'client-id': client = '', 'client-secret': secret = '' } = config
  // every issuer must support client_secret_basic unless it lists other methods
  const inHeader =
    secret !== '' &&
    (found.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes('client_secret_basic')
  const form = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(inHeader ? {} : { client_id: client }),
    ...(secret && !inHeader ? { client_secret: secret } : {}),
  }
  const login = inHeader ? `${encodeURIComponent(client)}:${encodeURIComponent(secret)}` : undefined
  const answer = await ask<{ id_token: string; refresh_token?: string | null; expires_in?: number | null }>(
    found.token_endpoint,
    answerShape,
    form,
    login,
  )
  return {
    id_token: answer.id_token,
    refresh_token: answer.refresh_token ?? refreshToken,
    expires_at: access.world.clock.now() / 1000 + (answer.expires_in ?? 60),
  }
}

/** The issuer's CA: in the kubeconfig, or in a file that it names. */
async function authority(config: Readonly<Record<string, string>>): Promise<string | undefined> {
  const data = config['idp-certificate-authority-data']
  if (data) return Buffer.from(data, 'base64').toString('utf8')
  const file = config['idp-certificate-authority']
  return file ? readFile(file, 'utf8') : undefined
}
