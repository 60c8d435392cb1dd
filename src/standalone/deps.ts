/** What the functions of this module work with: put together once, when a backend is opened. */
import type { World } from '../core/world.ts'
import type { ClusterDriver, DriverApi } from '../drivers/driver-api.ts'
import type { DriverRegistry } from '../drivers/registry.ts'
import type { Webhook } from './federations/notify.ts'

export interface Standalone {
  readonly world: World
  readonly coe: DriverApi
  readonly drivers: DriverRegistry
  /** For a look at clusters that nobody named: no credential plugin may ask, and what is refused is not tried again. */
  readonly looking: DriverApi
  /** Folder of the local index; undefined where there is no place for one. */
  readonly state: string | undefined
  readonly signal: AbortSignal
  /** Is told of each change, if one is configured. */
  readonly webhook: Webhook
  note(text: string): void
}

export type { ClusterDriver }
