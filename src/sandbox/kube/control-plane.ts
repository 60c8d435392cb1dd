import { randomInt } from 'node:crypto'
import type { SandboxClock } from '../clock.ts'
import type { KubeObject } from './object.ts'
import { timestamp } from './object.ts'
import type { ResourceType, TypeRegistry } from './resource-types.ts'
import type { Store } from './store.ts'

/** What a control plane may request from the network around it. */
export interface Allocations {
  /** The first two parts of the Service network: `10.96` for `10.96.0.0/12`. */
  servicePrefix: string
  nodePorts: [first: number, last: number]
}

/** Calls an admission webhook: returns the object with its changes, or throws a KubeFailure. */
export type WebhookCaller = (call: {
  configuration: KubeObject
  webhook: KubeObject
  mutating: boolean
  operation: 'CREATE' | 'UPDATE' | 'DELETE'
  type: ResourceType
  object: KubeObject
}) => Promise<KubeObject>

/** The state of one simulated API server, shared by its REST API and its controllers. */
export interface ControlPlane {
  name: string
  store: Store
  types: TypeRegistry
  /** For delays. Times in objects are wall time, because clients compare them with their own. */
  clock: SandboxClock
  wallNow: () => number
  allocations: Allocations
  /** The serving CA's certificate, for pods and tokens. */
  caCertificate: string
  version: { major: string; minor: string; gitVersion: string }
  /** Without it webhooks cannot be called, and fail according to their failurePolicy. */
  callWebhook?: WebhookCaller | undefined
  /** The state of aggregated API servers, by `group/version`. */
  aggregated: Map<string, () => 'absent' | 'unavailable' | 'available'>
  /** This control plane's own admission, beyond the built-in kinds. Throws to refuse; may change the object. */
  admit: ((operation: 'CREATE' | 'UPDATE', id: string, object: KubeObject, old: KubeObject | undefined) => void)[]
}

export const now = (plane: ControlPlane): string => timestamp(plane.wallNow())

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789'
/** A suffix for generateName. */
export const randomSuffix = (length = 5): string =>
  Array.from({ length }, () => suffixLetters[randomInt(suffixLetters.length)]).join('')
