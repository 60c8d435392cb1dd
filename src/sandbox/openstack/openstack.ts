import type { SandboxClock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { type Listener, type ListenerOptions, listen, type TlsOptions } from '../listener.ts'
import type { RequestLog } from '../log.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { buildCatalog, type ServiceUrl } from './keystone/catalog.ts'
import { type KeystoneState, keystoneHandler } from './keystone/keystone.ts'
import { createTokens, type Tokens } from './keystone/tokens.ts'
import type { ApiServers, MagnumState, Timing } from './magnum/context.ts'
import { magnumHandler } from './magnum/magnum.ts'
import { createStore } from './magnum/store.ts'
import { releaseFor } from './magnum/versions.ts'
import { standardCloud } from './seed.ts'

export interface OpenstackOptions {
  /** Highest microversion, which decides the release and its features. */
  magnumMax?: string | undefined
  magnumMin?: string | undefined
  /** Major number of the release, if the microversion alone would mean another. */
  magnumRelease?: number | undefined
  /** `facade` as upstream: 202, and nothing is stored. */
  federation?: 'facade' | 'working' | undefined
  timing?: Partial<Timing> | undefined
  /** The maximum of rows per page. */
  maxLimit?: number | undefined
  quota?: number | undefined
  caRotate?: 'works' | 'unsupported' | undefined
  tokenLifetimeMs?: number | undefined
  regions?: readonly string[] | undefined
  /** Name of the type in the catalog; `null` for a cloud without the service. */
  serviceType?: string | null | undefined
  /** The suffix of the address in the catalog: `/v1` or nothing. */
  endpointPath?: '' | '/v1' | undefined
  /** Without it, clusters have an address that does not answer. */
  apiServers?: ApiServers | undefined
  password?: string | undefined
}

interface Region {
  region: string
  magnum: Listener
  state: MagnumState
  magnumUrl: string
}

/** Its properties of a region are those of the first. */
export interface Openstack extends Region {
  keystone: Listener
  regions: readonly Region[]
  accounts: Accounts
  tokens: Tokens
  authUrl: string
  close(): Promise<void>
}

interface Shared {
  wallNow: () => number
  clock: SandboxClock
  log: RequestLog
  faults: Faults
  tls: TlsOptions | undefined
  host: ListenerOptions['host']
}

/** Tests advance the clock past these times; a user at a prompt sees a cluster being created. */
const standardTiming: Timing = {
  clusterStore: 0,
  cast: 500,
  create: 8_000,
  update: 4_000,
  delete: 4_000,
  federationStore: 500,
  federation: 3_000,
}

export async function startOpenstack(options: OpenstackOptions, shared: Shared): Promise<Openstack> {
  const { clock, log, faults, tls, host } = shared
  const accounts = createAccounts(options.password ?? 'sandbox-password')
  const tokens = createTokens(clock, options.tokenLifetimeMs)
  const identity: KeystoneState = { directory: accounts.directory, tokens, catalog: [] }
  const common = { tls, host, log, faults, beforeEach: () => clock.runDue() }
  const keystone = await listen({
    ...common,
    name: 'keystone',
    handler: keystoneHandler(identity),
    // a login changes no state that matters
    changes: ({ method }) => method !== 'GET' && method !== 'HEAD' && method !== 'POST',
  })
  const authUrl = `${keystone.url}/v3`
  // one Keystone, and an independent Magnum in each region
  const regions = options.regions ?? ['RegionOne']
  const magnums = await Promise.all(
    regions.map(async region => {
      const state = emptyMagnum(options, shared, accounts)
      const handler = magnumHandler({ state, tokens, authUrl: () => authUrl })
      const magnum = await listen({ ...common, name: 'magnum', handler })
      return { region, state, magnum, magnumUrl: `${magnum.url}${options.endpointPath ?? '/v1'}` }
    }),
  )
  const urlIn = (region: string) => (magnums.find(m => m.region === region) as (typeof magnums)[number]).magnumUrl
  identity.catalog = buildCatalog(services(options, authUrl, urlIn), regions)
  const [first] = magnums as [(typeof magnums)[number]]
  return {
    keystone,
    ...first,
    regions: magnums,
    accounts,
    tokens,
    authUrl,
    close: async () => {
      await Promise.all([keystone, ...magnums.map(m => m.magnum)].map(listener => listener.close()))
    },
  }
}

function emptyMagnum(options: OpenstackOptions, shared: Shared, accounts: Accounts): MagnumState {
  return {
    release: releaseFor(options.magnumMax ?? '1.10', options.magnumMin, options.magnumRelease),
    store: createStore(),
    clock: shared.clock,
    timing: { ...standardTiming, ...options.timing },
    directory: accounts.directory,
    cloud: standardCloud(),
    maxLimit: options.maxLimit ?? 1000,
    defaultQuota: options.quota ?? 20,
    federation: options.federation ?? 'facade',
    caRotate: options.caRotate ?? 'works',
    wallNow: shared.wallNow,
    apiServers: options.apiServers ?? { start: () => 'https://127.0.0.1:6443' },
  }
}

function services(options: OpenstackOptions, authUrl: string, magnumIn: (region: string) => string): ServiceUrl[] {
  const type = options.serviceType === undefined ? 'container-infra' : options.serviceType
  return [
    { type: 'identity', name: 'keystone', url: authUrl },
    ...(type === null ? [] : [{ type, name: 'magnum', url: magnumIn }]),
    { type: 'image', name: 'glance', url: 'http://image.sandbox.invalid' },
    { type: 'compute', name: 'nova', url: 'http://compute.sandbox.invalid/v2.1' },
    { type: 'network', name: 'neutron', url: 'http://network.sandbox.invalid' },
  ]
}
