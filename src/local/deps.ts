/** What the functions of this module work with. */
import type { World } from '../core/world.ts'

export interface LocalDeps {
  world: World
  /** Folder of what is remembered; undefined where there is no place for it. */
  state: string | undefined
  /** Contexts of the kubeconfig, or the one of a pod's own cluster. */
  contexts(): Promise<string[]>
  warn(text: string): void
}
