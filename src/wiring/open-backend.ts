/** Opens a backend from its dependencies, without the command line. Its memory belongs to it and ends with it. */
import type { Settings } from '../config/settings.ts'
import type { World } from '../core/world.ts'
import type { Tracer } from '../http/trace.ts'
import type { Redactor } from '../io/redact.ts'
import type { Backend, Mode } from '../model/backend.ts'
import type { CloudSession } from '../openstack/session.ts'

export interface BackendDeps {
  /** The environment names the kubeconfig and the clouds.yaml. */
  readonly world: World
  readonly settings: Settings
  readonly userAgent: string
  /** Gets secrets, which must never be printed. */
  readonly secrets: Pick<Redactor, 'addSecret'>
  readonly tracer?: Tracer | undefined
  /** Undefined if no cloud is configured. */
  readonly cloud?: (() => Promise<CloudSession>) | undefined
  /** Called for problems that do not stop the work, such as a driver that cannot be loaded. */
  warn(text: string): void
}

export async function openBackend(mode: Mode, opening: BackendDeps): Promise<Backend> {
  if (mode === 'magnum') return (await import('./magnum-mode.ts')).openMagnum(opening)
  return (await import('./standalone-mode.ts')).openStandalone(opening)
}
