/** A session with one cloud: its token (kept between runs), and clients of its services. */

import type { CloudConfig } from '../config/clouds/clouds.ts'
import { asksKeystone, loginKind } from '../config/clouds/login-kinds.ts'
import { CoeError, usage } from '../core/errors.ts'
import { shareWork } from '../core/shared-work.ts'
import type { World } from '../core/world.ts'
import type { Tracer } from '../http/trace.ts'
import { type Endpoint, makeEndpoint } from '../http/transport.ts'
import { authRequest, authType } from './auth-request.ts'
import { findEndpoint, magnumTypes } from './catalog.ts'
import type { Identity } from './identity.ts'
import { isValid, type NamedProject, projectsNamed, requestToken, revokeToken } from './keystone.ts'
import { endedBy, makeService, type Service } from './service.ts'
import { tlsFor } from './tls-files.ts'
import { noCache, type TokenCache, tokenCache } from './token-cache.ts'

export interface SessionSettings {
  cloud: CloudConfig
  world: World
  userAgent: string
  tracer?: Tracer | undefined
  /** Where tokens are cached; undefined disables the cache. */
  cacheFolder?: string | undefined
  addSecret(value: string): void
  /** Logs a step. */
  tell?(text: string): void
  /** Undefined if the user cannot be asked. */
  askPassword?: (() => Promise<string>) | undefined
}

/** Serves many calls. A call's signal ends the work for that call, unless another call waits for it too. */
export interface CloudSession {
  /** The same session for one call, with its signal as the default. */
  within(signal: AbortSignal): CloudSession
  readonly cloud: CloudConfig
  readonly authType: string
  /** The current token; `renew` requests a new one from Keystone. */
  identity(options?: { renew?: boolean; signal?: AbortSignal | undefined }): Promise<Identity>
  /** The token of an earlier run, if it is still valid for a while. */
  cachedIdentity(): Promise<Identity | undefined>
  /** Whether tokens of this cloud are cached. */
  readonly caches: boolean
  /** Whether Keystone still accepts the token. */
  stillValid(token: string, signal?: AbortSignal): Promise<boolean>
  /** The projects of that name that this user may see. */
  projectsNamed(name: string, signal?: AbortSignal): Promise<NamedProject[]>
  /** Removes the cached token, and with `revoke` revokes it in Keystone. True if there was one. */
  logout(revoke: boolean, signal?: AbortSignal): Promise<boolean>
  magnum(signal?: AbortSignal): Promise<Service>
  magnumUrl(signal?: AbortSignal): Promise<string>
  /** An endpoint for any address of this cloud, with the cloud's certificates and limits. */
  endpoint(name: string, url: string): Promise<Endpoint>
}

export function openSession(settings: SessionSettings): CloudSession {
  const { cloud } = settings
  const type = authType(cloud)
  const cache = cacheOf(settings, type)
  let known: Identity | undefined
  /** Whether the known catalog is from an earlier run. */
  let catalogIsOld = false
  let magnum: Service | undefined

  /** Several requests may find at once that the token is invalid; only one of them requests the next. */
  const login = shareWork(async (signal, renew: boolean) => {
    const { identity: found, cached } = await obtain(settings, type, cache, renew, signal)
    settings.addSecret(found.token)
    known = found
    catalogIsOld = cached
    return found
  })
  const identity: CloudSession['identity'] = async ({ renew = false, signal } = {}) =>
    known && !renew ? known : login(signal, renew)

  const magnumUrl = async (signal?: AbortSignal) =>
    withVersion(cloud.endpointOverride ?? (await fromCatalog(cloud, () => identity({ signal }), type)))
  const openMagnum = shareWork(async signal => {
    const url = await magnumUrl(signal)
    settings.tell?.(`Magnum is at ${url}`)
    let endpoint = await endpointFor(settings, 'Magnum', url)
    const currentEndpoint = async (signal: AbortSignal) => {
      const now = await magnumUrl(signal)
      if (now === endpoint.url) return endpoint
      settings.tell?.(`Magnum has moved to ${now}`)
      endpoint = await endpointFor(settings, 'Magnum', now)
      return endpoint
    }
    return makeService({
      endpoint,
      currentEndpoint,
      async newerEndpoint(signal) {
        if (!catalogIsOld || cloud.endpointOverride) return undefined
        const before = endpoint
        await identity({ renew: true, signal })
        const now = await currentEndpoint(signal)
        return now === before ? undefined : now
      },
      token: async (renew, signal) =>
        loginKind(type)?.token === 'none' ? undefined : (await identity({ renew, signal })).token,
      canRenew: asksKeystone(type),
      refusedHint: refusedHint(type, cloud),
      version: cloud.apiVersion,
    })
  })
  const session: CloudSession = {
    within: signal => bound(session, signal),
    cloud,
    authType: type,
    identity,
    magnumUrl,
    cachedIdentity: () => cache.read(),
    caches: cache !== noCache,
    endpoint: (name, url) => endpointFor(settings, name, url),
    async stillValid(token, signal) {
      return isValid(await endpointFor(settings, 'Keystone', authUrl(cloud)), token, signal)
    },
    async projectsNamed(name, signal) {
      const keystone = await endpointFor(settings, 'Keystone', authUrl(cloud))
      const ask = async (renew: boolean) =>
        projectsNamed(keystone, (await identity({ renew, signal })).token, name, signal)
      return ask(false).catch((error: unknown) => {
        // a cached token may have been revoked meanwhile, as for every other request
        if (error instanceof CoeError && error.details.status === 401) return ask(true)
        throw error
      })
    },
    async magnum(signal) {
      magnum ??= await openMagnum(signal)
      return signal ? endedBy(magnum, signal) : magnum
    },
    async logout(revoke, signal) {
      const cached = await cache.read()
      if (cached && revoke) {
        const keystone = await endpointFor(settings, 'Keystone', authUrl(cloud))
        await revokeToken(keystone, cached.token, signal)
      }
      await cache.drop()
      known = undefined
      return cached !== undefined
    },
  }
  return session
}

const bound = (session: CloudSession, own: AbortSignal): CloudSession => ({
  ...session,
  identity: options => session.identity({ ...options, signal: options?.signal ?? own }),
  stillValid: (token, signal = own) => session.stillValid(token, signal),
  projectsNamed: (name, signal = own) => session.projectsNamed(name, signal),
  logout: (revoke, signal = own) => session.logout(revoke, signal),
  magnum: (signal = own) => session.magnum(signal),
  magnumUrl: (signal = own) => session.magnumUrl(signal),
})

/** Hints for logins without Keystone, where "log in again" does not help. */
function refusedHint(type: string, cloud: CloudConfig): string | undefined {
  if (loginKind(type)?.token === 'none')
    return 'auth type none sends no token, but this Magnum requires one: log in to its Keystone'
  const origin = cloud.origins.get('auth.token')
  if (loginKind(type)?.token === 'provided')
    return `the token${origin ? ` (from ${origin})` : ''} has expired, was revoked, or is not for this cloud: give another`
  return undefined
}

interface Obtained {
  identity: Identity
  /** Obtained by an earlier run. */
  cached: boolean
}

async function obtain(
  settings: SessionSettings,
  type: string,
  cache: TokenCache,
  renew: boolean,
  signal: AbortSignal,
): Promise<Obtained> {
  const { cloud } = settings
  const fromUser = (token: string) => ({ identity: { token, roles: [], catalog: [] }, cached: false })
  const kind = loginKind(type)
  if (kind?.token === 'none') return fromUser('')
  if (kind?.token === 'provided') {
    if (!cloud.auth.token) throw usage(`auth type ${type} needs a token`, { hint: 'give it with OS_TOKEN' })
    return fromUser(cloud.auth.token)
  }
  if (renew) await cache.drop()
  else {
    const cached = await cache.read()
    if (cached) {
      settings.tell?.(`using the token of an earlier run, valid until ${cached.expiresAt}`)
      return { identity: cached, cached: true }
    }
  }
  const endpoint = await endpointFor(settings, 'Keystone', authUrl(cloud))
  const auth = await withPassword(settings, type)
  const identity = await requestToken(endpoint, authRequest(type, auth), signal)
  await cache.write(identity)
  return { identity, cached: false }
}

async function withPassword(settings: SessionSettings, type: string): Promise<CloudConfig['auth']> {
  const { auth } = settings.cloud
  if (!loginKind(type)?.asksPassword || auth.password) return auth
  if (!settings.askPassword) {
    throw usage('no password was given', { hint: 'set OS_PASSWORD, or password: in clouds.yaml or secure.yaml' })
  }
  const password = await settings.askPassword()
  settings.addSecret(password)
  return { ...auth, password }
}

/** The cache is keyed by everything that decides the rights of a token: two projects of one user are two tokens. */
function cacheOf(settings: SessionSettings, type: string): TokenCache {
  const { cloud, cacheFolder, world } = settings
  if (cacheFolder === undefined || !loginKind(type)?.cached || !cloud.auth.auth_url) return noCache
  return tokenCache(cacheFolder, [type, Object.entries(cloud.auth).sort(), cloud.cacert, cloud.cert], world)
}

function authUrl(cloud: CloudConfig): string {
  const url = cloud.auth.auth_url
  if (!url) {
    throw usage('no cloud is configured: there is no auth URL', {
      hint: 'source an openrc file, or name a cloud of clouds.yaml with --os-cloud (OS_CLOUD); without a cloud, use --standalone',
    })
  }
  if (!/^https?:\/\/[^/]/.test(url)) {
    throw usage(`the auth URL "${url}" is not an http:// or https:// address`, {
      hint: 'it looks like https://keystone.example.com:5000/v3',
    })
  }
  return url
}

async function fromCatalog(cloud: CloudConfig, identity: () => Promise<Identity>, type: string): Promise<string> {
  if (!asksKeystone(type)) {
    if (cloud.auth.endpoint) return cloud.auth.endpoint
    throw usage(`auth type ${type} needs the address of Magnum`, {
      hint: 'give it with --os-endpoint-override (OS_ENDPOINT_OVERRIDE)',
    })
  }
  const { catalog } = await identity()
  return findEndpoint(catalog, {
    types: (magnumTypes as readonly string[]).includes(cloud.serviceType) ? magnumTypes : [cloud.serviceType],
    name: cloud.serviceName,
    title: 'Magnum',
    interface: cloud.interface,
    region: cloud.region,
  })
}

/** Catalogs list Magnum with or without its version; requests need it. */
const withVersion = (url: string): string => {
  const bare = url.replace(/\/+$/, '')
  return /\/v1$/.test(bare) ? bare : `${bare}/v1`
}

async function endpointFor(settings: SessionSettings, name: string, url: string): Promise<Endpoint> {
  return makeEndpoint({
    name,
    url,
    tls: await tlsFor(settings.cloud, url),
    userAgent: settings.userAgent,
    tracer: settings.tracer,
    env: settings.world.env,
    ...(settings.cloud.apiTimeout ? { timeoutMs: settings.cloud.apiTimeout * 1000 } : {}),
  })
}
