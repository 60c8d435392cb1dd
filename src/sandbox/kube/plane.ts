import type { SandboxClock } from '../clock.ts'
import { builtinResources } from './builtin-resources.ts'
import type { ControlPlane } from './control-plane.ts'
import { createTypeRegistry } from './resource-types.ts'
import { createStore, type Store } from './store.ts'

export interface PlaneOptions {
  name: string
  clock: SandboxClock
  wallNow: () => number
  caCertificate: string
  /** `v1.34.10` */
  version?: string | undefined
  /** An existing etcd. */
  store?: Store | undefined
  /** The first two parts of Service addresses, which differ between clusters. */
  servicePrefix?: string | undefined
}

export const defaultVersion = 'v1.34.10'

export function createControlPlane(options: PlaneOptions): ControlPlane {
  const gitVersion = options.version ?? defaultVersion
  const [, major = '1', minor = '34'] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? []
  return {
    name: options.name,
    store: options.store ?? createStore(),
    types: createTypeRegistry(builtinResources),
    clock: options.clock,
    wallNow: options.wallNow,
    allocations: { servicePrefix: options.servicePrefix ?? '10.96', nodePorts: [30_000, 32_767] },
    caCertificate: options.caCertificate,
    version: { major, minor, gitVersion },
    aggregated: new Map(),
    admit: [],
  }
}
