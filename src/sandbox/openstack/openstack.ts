import type { SandboxClock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { type Listener, type ListenerOptions, listen, type TlsOptions } from '../listener.ts'
import type { RequestLog } from '../log.ts'
import { buildCatalog, type ServiceUrl } from './keystone/catalog.ts'
import { type KeystoneState, keystoneHandler } from './keystone/keystone.ts'
import { createTokens, type Tokens } from './keystone/tokens.ts'
import type { ApiServers, MagnumState, Timing } from './magnum/context.ts'
import { magnumHandler } from './magnum/magnum.ts'
import { createStore } from './magnum/store.ts'
import { releaseFor } from './magnum/versions.ts'
import { createPeople, type People } from './people.ts'
import { standardCloud } from './seed.ts'

export interface OpenstackOptions {
  /** Highest microversion; the release, and what it knows, follow from it. */
  magnumMax?: string | undefined
  magnumMin?: string | undefined
  /** Major number of the release, where the microversion alone would say another. */
  magnumRelease?: number | undefined
  /** `facade` as upstream: 202, and nothing is stored. */
  federation?: 'facade' | 'working' | undefined
  timing?: Partial<Timing> | undefined
  /** Most rows in a page. */
  maxLimit?: number | undefined
  quota?: number | undefined
  caRotate?: 'works' | 'unsupported' | undefined
  tokenLifetimeMs?: number | undefined
  regions?: readonly string[] | undefined
  /** Name of the type in the catalog; without the service at all: `null`. */
  serviceType?: string | null | undefined
  /** What stands behind the address in the catalog: `/v1` or nothing. */
  endpointPath?: '' | '/v1' | undefined
  /** Without it, clusters have an address where nobody is. */
  apiServers?: ApiServers | undefined
  password?: string | undefined
}

interface Region {
  region: string
  magnum: Listener
  state: MagnumState
  magnumUrl: string
}

/** What is said of a region is that of the first. */
export interface Openstack extends Region {
  keystone: Listener
  regions: readonly Region[]
  people: People
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

/** Nobody waits for what a test does not look at; a person at a prompt sees a cluster being made. */
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
  const people = createPeople(options.password ?? 'sandbox-password')
  const tokens = createTokens(clock, options.tokenLifetimeMs)
  const identity: KeystoneState = { directory: people.directory, tokens, catalog: [] }
  const common = { tls, host, log, faults, beforeEach: () => clock.runDue() }
  const keystone = await listen({
    ...common,
    name: 'keystone',
    handler: keystoneHandler(identity),
    // a login changes nothing that anybody could miss
    changes: ({ method }) => method !== 'GET' && method !== 'HEAD' && method !== 'POST',
  })
  const authUrl = `${keystone.url}/v3`
  // one Keystone, and in each region a Magnum that knows nothing of the others
  const regions = options.regions ?? ['RegionOne']
  const magnums = await Promise.all(
    regions.map(async region => {
      const state = emptyMagnum(options, shared, people)
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
    people,
    tokens,
    authUrl,
    close: async () => {
      await Promise.all([keystone, ...magnums.map(m => m.magnum)].map(listener => listener.close()))
    },
  }
}

function emptyMagnum(options: OpenstackOptions, shared: Shared, people: People): MagnumState {
  return {
    release: releaseFor(options.magnumMax ?? '1.10', options.magnumMin, options.magnumRelease),
    store: createStore(),
    clock: shared.clock,
    timing: { ...standardTiming, ...options.timing },
    directory: people.directory,
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
