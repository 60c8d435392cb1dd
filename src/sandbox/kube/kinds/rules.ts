import type { ControlPlane } from '../control-plane.ts'
import type { Cause } from '../failure.ts'
import type { KubeObject } from '../object.ts'

/** What a server does to objects of one kind before it stores them. */
export interface KindRules {
  /** Fills in defaults. May change `object`, which is the caller's own copy. */
  prepare?(object: KubeObject, old: KubeObject | undefined, plane: ControlPlane): void
  validate?(object: KubeObject, old: KubeObject | undefined, plane: ControlPlane): Cause[]
  /** The object counts the changes of its spec. */
  generation?: boolean
}

/** Sets what is not there yet. */
export function defaults(target: Record<string, unknown>, values: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(values)) if (target[key] === undefined) target[key] = value
}
