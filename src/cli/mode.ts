/** Decides the mode of a run, from options and configuration, never by asking a server. */
import { type CloudReader, couldPickCloud, type Preferred } from '../config/clouds/clouds.ts'
import type { Settings } from '../config/settings.ts'
import type { World } from '../core/world.ts'
import type { Mode } from '../model/backend.ts'
import { cloudFlags, type Globals } from './options/globals.ts'

export interface Decision {
  mode: Mode
  /** What decided it. */
  origin: string
  /** A note for the user, if the mode was inferred although both were possible. */
  note?: string
}

export async function decideMode(
  world: World,
  globals: Globals,
  settings: Settings,
  read?: CloudReader,
): Promise<Decision> {
  const flags = cloudFlags(globals)
  const cloudFlag = Object.entries(flags).find(([name, value]) => name.startsWith('os-') && value !== undefined)
  if (cloudFlag && !globals.standalone) return { mode: 'magnum', origin: `--${cloudFlag[0]}` }
  const { value, origin } = settings.get('mode')
  if (value) return { mode: value, origin }
  const { picked, several, why } = await couldPickCloud(world, flags, preferredCloud(settings), read)
  if (!picked) {
    return {
      mode: 'standalone',
      origin: `inferred: ${why}`,
      ...(several ? { note: `standalone mode (${why}); --os-cloud NAME works with one` } : {}),
    }
  }
  const both = Boolean(world.env.KUBECONFIG)
  return {
    mode: 'magnum',
    origin: `inferred: ${why}`,
    ...(both ? { note: `magnum mode (${why}); --standalone works from kubeconfig contexts` } : {}),
  }
}

/** The cloud of config.yaml, which applies if neither options nor environment name one. */
export function preferredCloud(settings: Settings): Preferred | undefined {
  const { value, origin } = settings.get('cloud')
  return value === undefined ? undefined : { value, origin }
}
