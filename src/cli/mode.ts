/** Which of the two modes a run is in. Decided from what was said and what is configured, never by asking a server. */
import { couldPickCloud } from '../config/clouds.ts'
import { loadSettings } from '../config/settings.ts'
import { usage } from '../core/errors.ts'
import type { World } from '../core/world.ts'
import type { Mode } from '../model/backend.ts'
import { cloudFlags, type Globals } from './globals.ts'

export interface Decision {
  mode: Mode
  /** Said when it was inferred although both were possible. */
  note?: string
}

export async function decideMode(world: World, globals: Globals): Promise<Decision> {
  if (globals.standalone) return { mode: 'standalone' }
  const flags = cloudFlags(globals)
  const said = Object.entries(flags).some(([name, value]) => name.startsWith('os-') && value !== undefined)
  if (said) return { mode: 'magnum' }
  const fromEnv = world.env.COE_MODE
  if (fromEnv) return { mode: checked(fromEnv, 'COE_MODE') }
  const settings = await loadSettings(world)
  if (settings.mode) return { mode: settings.mode }
  const { picked, why } = await couldPickCloud(world, flags)
  if (!picked) return { mode: 'standalone' }
  const both = Boolean(world.env.KUBECONFIG)
  return {
    mode: 'magnum',
    ...(both ? { note: `magnum mode (${why}); --standalone works from kubeconfig contexts` } : {}),
  }
}

function checked(value: string, origin: string): Mode {
  if (value === 'magnum' || value === 'standalone') return value
  throw usage(`${origin} is "${value}"; it can be magnum or standalone`)
}
