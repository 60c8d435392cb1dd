/** A session with one cloud: its token (kept between runs), and clients of its services. */
import type { CloudConfig } from '../config/clouds/clouds.ts'
import { CoeError, usage } from '../core/errors.ts'
import { shareWork } from '../core/shared-work.ts'
import type { World } from '../core/world.ts'
import type { Tracer } from '../http/trace.ts'
import { type Endpoint, makeEndpoint } from '../http/transport.ts'
import { authRequest, authType, supportedAuthTypes } from './auth-request.ts'
import { findEndpoint, magnumTypes } from './catalog.ts'
import type { Identity } from './identity.ts'
import { requestToken } from './keystone.ts'
import type { NamedProject } from './keystone-projects.ts'
import { endedBy, makeService, type Service } from './service.ts'
import { tlsFor } from './tls-files.ts'
import { noCache, type TokenCache, tokenCache } from './token-cache.ts'

export interface SessionSettings {
  cloud: CloudConfig
  world: World
  userAgent: string
  tracer?: Tracer | undefined
  /** Where tokens are kept; undefined keeps none. */
  cacheFolder?: string | undefined
  addSecret(value: string): void
  /** What is being done, for who wants to know. */
  tell?(text: string): void
  /** Undefined where nobody can be asked. */
  askPassword?: (() => Promise<string>) | undefined
}

/** Serves many calls. A signal ends what is done for the call that gave it; what another call waits for too goes on. */
export interface CloudSession {
  /** The same session, for one call: its signal stands in where none is given. */
  within(signal: AbortSignal): CloudSession
  readonly cloud: CloudConfig
  readonly authType: string
  /** The token in force; `fresh` asks Keystone even if one is at hand. */
  identity(options?: { fresh?: boolean; signal?: AbortSignal | undefined }): Promise<Identity>
  /** The token that an earlier run left, if it is good for a while yet. */
  kept(): Promise<Identity | undefined>
  /** Are tokens of this cloud kept at all? */
  readonly keeps: boolean
  /** Has Keystone not revoked it meanwhile? */
  stillValid(token: string, signal?: AbortSignal): Promise<boolean>
  /** The projects of that name that this user may see. */
  projectsNamed(name: string, signal?: AbortSignal): Promise<NamedProject[]>
  /** Forgets the kept token; with `revoke` Keystone forgets it, too. True if there was one. */
  logout(revoke: boolean, signal?: AbortSignal): Promise<boolean>
  magnum(signal?: AbortSignal): Promise<Service>
  magnumUrl(signal?: AbortSignal): Promise<string>
  /** A way to any address of this cloud, with its certificates and limits. */
  endpoint(name: string, url: string): Promise<Endpoint>
}

export function openSession(settings: SessionSettings): CloudSession {
  const { cloud } = settings
  const type = authType(cloud)
  const cache = cacheOf(settings, type)
  let known: Identity | undefined
  /** Its catalog is of an earlier run. */
  let old = false
  let magnum: Service | undefined

  /** Several requests may find out at once that the token is gone; one of them gets the next. */
  const login = shareWork(async (signal, fresh: boolean) => {
    const { identity: found, kept } = await obtain(settings, type, cache, fresh, signal)
    settings.addSecret(found.token)
    known = found
    old = kept
    return found
  })
  const identity: CloudSession['identity'] = async ({ fresh = false, signal } = {}) =>
    known && !fresh ? known : login(signal, fresh)

  const magnumUrl = async (signal?: AbortSignal) =>
    withVersion(cloud.endpointOverride ?? (await fromCatalog(cloud, () => identity({ signal }), type)))
  const openMagnum = shareWork(async signal => {
    const url = await magnumUrl(signal)
    settings.tell?.(`Magnum is at ${url}`)
    let endpoint = await endpointFor(settings, 'Magnum', url)
    const placeNow = async (signal: AbortSignal) => {
      const now = await magnumUrl(signal)
      if (now === endpoint.url) return endpoint
      settings.tell?.(`Magnum has moved to ${now}`)
      endpoint = await endpointFor(settings, 'Magnum', now)
      return endpoint
    }
    return makeService({
      endpoint,
      placeNow,
      async otherPlace(signal) {
        if (!old || cloud.endpointOverride) return undefined
        const before = endpoint
        await identity({ fresh: true, signal })
        const now = await placeNow(signal)
        return now === before ? undefined : now
      },
      token: async (fresh, signal) => (type === 'none' ? undefined : (await identity({ fresh, signal })).token),
      canRenew: !['none', 'admin_token', 'token_endpoint'].includes(type),
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
    kept: () => cache.read(),
    keeps: cache !== noCache,
    endpoint: (name, url) => endpointFor(settings, name, url),
    async stillValid(token, signal) {
      const { isValid } = await import('./keystone-check.ts')
      return isValid(await endpointFor(settings, 'Keystone', authUrl(cloud)), token, signal)
    },
    async projectsNamed(name, signal) {
      const [{ projectsNamed }, keystone] = await Promise.all([
        import('./keystone-projects.ts'),
        endpointFor(settings, 'Keystone', authUrl(cloud)),
      ])
      const ask = async (fresh: boolean) =>
        projectsNamed(keystone, (await identity({ fresh, signal })).token, name, signal)
      return ask(false).catch((error: unknown) => {
        // a kept token may have been revoked meanwhile, as for every other request
        if (error instanceof CoeError && error.details.status === 401) return ask(true)
        throw error
      })
    },
    async magnum(signal) {
      magnum ??= await openMagnum(signal)
      return signal ? endedBy(magnum, signal) : magnum
    },
    async logout(revoke, signal) {
      const kept = await cache.read()
      if (kept && revoke) {
        const keystone = await endpointFor(settings, 'Keystone', authUrl(cloud))
        const { revokeToken } = await import('./keystone-revoke.ts')
        await revokeToken(keystone, kept.token, signal)
      }
      await cache.drop()
      known = undefined
      return kept !== undefined
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

/** Where no Keystone is asked, "log in again" is no advice. */
function refusedHint(type: string, cloud: CloudConfig): string | undefined {
  if (type === 'none') return 'auth type none sends no token, and this Magnum wants one: log in to its Keystone'
  const origin = cloud.origins.get('auth.token')
  if (type === 'admin_token' || type === 'token_endpoint')
    return `the token${origin ? ` (from ${origin})` : ''} has expired, was revoked, or is not for this cloud: give another`
  return undefined
}

interface Obtained {
  identity: Identity
  /** By an earlier run. */
  kept: boolean
}

async function obtain(
  settings: SessionSettings,
  type: string,
  cache: TokenCache,
  fresh: boolean,
  signal: AbortSignal,
): Promise<Obtained> {
  const { cloud } = settings
  const given = (token: string) => ({ identity: { token, roles: [], catalog: [] }, kept: false })
  if (type === 'none') return given('')
  if (type === 'admin_token' || type === 'token_endpoint') {
    if (!cloud.auth.token) throw usage(`auth type ${type} needs a token`, { hint: 'give it with OS_TOKEN' })
    return given(cloud.auth.token)
  }
  if (fresh) await cache.drop()
  else {
    const kept = await cache.read()
    if (kept) {
      settings.tell?.(`the token of an earlier run is used, good until ${kept.expiresAt}`)
      return { identity: kept, kept: true }
    }
  }
  const endpoint = await endpointFor(settings, 'Keystone', authUrl(cloud))
  const auth = await withPassword(settings, type)
  const identity = await requestToken(endpoint, authRequest(type, auth), signal)
  await cache.write(identity)
  return { identity, kept: false }
}

async function withPassword(settings: SessionSettings, type: string): Promise<CloudConfig['auth']> {
  const { auth } = settings.cloud
  // others that end so, as v3oidcpassword, are refused for what they are
  if (!['password', 'v3password'].includes(type) || auth.password) return auth
  if (!settings.askPassword) {
    throw usage('no password was given', { hint: 'set OS_PASSWORD, or password: in clouds.yaml or secure.yaml' })
  }
  const password = await settings.askPassword()
  settings.addSecret(password)
  return { ...auth, password }
}

/** All that decides what a token may do; two projects of one user are two tokens. */
function cacheOf(settings: SessionSettings, type: string): TokenCache {
  const { cloud, cacheFolder, world } = settings
  if (cacheFolder === undefined || !(supportedAuthTypes as readonly string[]).includes(type) || !cloud.auth.auth_url)
    return noCache
  // a token that was given is at hand anyhow, and the others ask no Keystone
  if (['token', 'v3token', 'none', 'admin_token', 'token_endpoint'].includes(type)) return noCache
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
  if (type === 'none' || type === 'admin_token' || type === 'token_endpoint') {
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

/** Catalogs list Magnum with and without its version; requests are made below it. */
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
