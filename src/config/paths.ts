/** Folders: coe's own by the XDG rules, and those in which OpenStack's tools look for clouds.yaml. */
import { isAbsolute, join, resolve } from 'node:path'
import type { World } from '../core/world.ts'

/** Each is undefined if it cannot be determined (no HOME); callers must do without it. */
export interface CoePaths {
  /** config.yaml. */
  config: string | undefined
  /** Data that can be made again: tokens, downloads. */
  cache: string | undefined
  /** Data of this machine that cannot be made again: the local index. */
  state: string | undefined
}

/** An empty variable counts as unset, as usual in shells. */
export const envOf = (world: World, name: string): string | undefined => world.env[name] || undefined

/** The XDG rules require relative paths to be ignored. */
function absoluteEnv(world: World, name: string): string | undefined {
  const value = envOf(world, name)
  return value !== undefined && isAbsolute(value) ? value : undefined
}

export const under = (base: string | undefined, ...rest: string[]): string | undefined => base && join(base, ...rest)

export function coePaths(world: World): CoePaths {
  const windows = world.platform === 'win32'
  const folder = (own: string, xdg: string, windowsBase: string, ...fallback: string[]): string | undefined => {
    const named = envOf(world, own)
    if (named) return resolve(world.cwd, expandHome(named, world))
    const base = absoluteEnv(world, xdg) ?? (windows ? envOf(world, windowsBase) : undefined)
    return under(base ?? under(world.home, ...fallback), 'coe')
  }
  return {
    config: folder('COE_CONFIG_DIR', 'XDG_CONFIG_HOME', 'APPDATA', '.config'),
    cache: folder('COE_CACHE_DIR', 'XDG_CACHE_HOME', 'LOCALAPPDATA', '.cache'),
    state: folder('COE_STATE_DIR', 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local', 'state'),
  }
}

/** Expands `~` and `~/x`; leaves `~other` unchanged, and everything if there is no home. */
export function expandHome(path: string, world: World): string {
  if (world.home === undefined || (path !== '~' && !path.startsWith('~/'))) return path
  return join(world.home, path.slice(1))
}

/** A path from the user: expands `~`, and resolves relative paths from the working folder. */
export const userPath = (path: string, world: World): string => resolve(world.cwd, expandHome(path, world))

/** The folders in which openstacksdk looks for clouds.yaml, in its order. */
export function openstackFolders(world: World): string[] {
  const { home, platform } = world
  const folders: (string | undefined)[] = [world.cwd]
  if (platform === 'darwin') folders.push(under(home, 'Library', 'Application Support', 'openstack'))
  else if (platform === 'win32') folders.push(under(envOf(world, 'LOCALAPPDATA'), 'OpenStack', 'openstack'))
  else folders.push(under(absoluteEnv(world, 'XDG_CONFIG_HOME') ?? under(home, '.config'), 'openstack'))
  // inside a snap, HOME is the snap's own folder
  folders.push(under(envOf(world, 'SNAP_REAL_HOME') ?? home, '.config', 'openstack'))
  if (platform === 'darwin') folders.push('/Library/Application Support/openstack')
  else if (platform === 'win32') folders.push(under(envOf(world, 'PROGRAMDATA'), 'OpenStack', 'openstack'))
  else {
    const site = envOf(world, 'XDG_CONFIG_DIRS') ?? '/etc/xdg'
    for (const dir of site.split(':')) if (isAbsolute(dir)) folders.push(join(dir, 'openstack'))
  }
  if (platform !== 'win32') folders.push('/etc/openstack')
  return [...new Set(folders.filter(f => f !== undefined))]
}
