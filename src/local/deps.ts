/** The dependencies of the functions in this module. */
import type { World } from '../core/world.ts'

export interface LocalDeps {
  world: World
  /** The folder of the local indexes; undefined without a home folder. */
  state: string | undefined
  /** The contexts of the kubeconfig, or in a pod the context of its own cluster. */
  contexts(): Promise<string[]>
  warn(text: string): void
}
