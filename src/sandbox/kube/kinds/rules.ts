import type { ControlPlane } from '../control-plane.ts'
import type { Cause } from '../failure.ts'
import type { KubeObject } from '../object.ts'

/** A server's rules for objects of one kind, applied before storing them. */
export interface KindRules {
  /** Fills in defaults. May change `object`, which is the caller's own copy. */
  prepare?(object: KubeObject, old: KubeObject | undefined, plane: ControlPlane): void
  validate?(object: KubeObject, old: KubeObject | undefined, plane: ControlPlane): Cause[]
  /** The object counts the changes of its spec. */
  generation?: boolean
}

/** Sets missing values. */
export function defaults(target: Record<string, unknown>, values: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(values)) if (target[key] === undefined) target[key] = value
}
