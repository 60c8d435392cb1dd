import { randomInt } from 'node:crypto'
import type { SandboxClock } from '../clock.ts'
import type { KubeObject } from './object.ts'
import { timestamp } from './object.ts'
import type { ResourceType, TypeRegistry } from './resource-types.ts'
import type { Store } from './store.ts'

/** What the program may ask of the network around a control plane; members and hosts without it just have no answers. */
export interface Allocations {
  /** `10.96.0.0/12` without its last two parts: `10.96`. */
  servicePrefix: string
  nodePorts: [first: number, last: number]
}

/** An admission webhook call that is due: answers the object as the webhook leaves it, or throws a KubeFailure. */
export type WebhookCaller = (call: {
  configuration: KubeObject
  webhook: KubeObject
  mutating: boolean
  operation: 'CREATE' | 'UPDATE' | 'DELETE'
  type: ResourceType
  object: KubeObject
}) => Promise<KubeObject>

/** The inside of one simulated API server: what its REST face and its controllers share. */
export interface ControlPlane {
  name: string
  store: Store
  types: TypeRegistry
  /** Delays run on it; the times written into objects are wall time, as clients compare them with their own. */
  clock: SandboxClock
  wallNow: () => number
  allocations: Allocations
  /** The serving CA's certificate, as pods and tokens get it. */
  caCertificate: string
  version: { major: string; minor: string; gitVersion: string }
  /** Absent: webhooks cannot be called here, and fail as their failurePolicy says. */
  callWebhook?: WebhookCaller | undefined
  /** Resources that another server behind this one serves, by `group/version`; a reason when that one is not there. */
  aggregated: Map<string, () => 'absent' | 'unavailable' | 'available'>
  /** Admission of this control plane's own, beyond the built-in kinds: throws to refuse, may change the object. */
  admit: ((operation: 'CREATE' | 'UPDATE', id: string, object: KubeObject, old: KubeObject | undefined) => void)[]
}

export const now = (plane: ControlPlane): string => timestamp(plane.wallNow())

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789'
/** The tail that generateName gets. */
export const randomSuffix = (length = 5): string =>
  Array.from({ length }, () => suffixLetters[randomInt(suffixLetters.length)]).join('')
