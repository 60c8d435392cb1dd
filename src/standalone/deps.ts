/** What the functions of this module work with: put together for each call of a backend. */
import type { Machine, World } from '../core/world.ts'
import type { ClusterDriver, DriverApi } from '../drivers/driver-api.ts'
import type { DriverRegistry } from '../drivers/registry.ts'
import type { Call } from '../model/call.ts'
import type { LocalState } from '../model/local-state.ts'
import type { Webhook } from './federations/notify.ts'

/** The engine makes, changes and deletes federations. It knows no home directory and no kubeconfig of a user. */
export interface EngineDeps {
  readonly world: Machine
  readonly drivers: Pick<DriverRegistry, 'federations' | 'defaultFederations'>
  readonly call: Call
  /** Is told of each change, if one is configured. */
  readonly webhook: Webhook
  /** Notes each text once: a call may look again and again (--watch). */
  noteOnce(text: string): void
}

export interface Standalone extends EngineDeps {
  readonly world: World
  readonly coe: DriverApi
  readonly drivers: DriverRegistry
  /** For a look at clusters that nobody named: no credential plugin may ask, and what is refused is not tried again. */
  readonly looking: DriverApi
  /** What this machine keeps of federations and clusters. */
  readonly local: LocalState
}

/** Returns the same dependencies for the same call. */
export type DepsFor = (call: Call) => Standalone

export type { ClusterDriver }
