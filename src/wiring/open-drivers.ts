/** The drivers that the settings lead to: to work with, and to be looked at. */
import type { Context } from '../cli/context.ts'
import { version } from '../cli/version.ts'
import { coePaths, userPath } from '../config/paths.ts'
import type { Settings } from '../config/settings.ts'
import type { CoeError } from '../core/errors.ts'
import { makeDriverApi } from '../drivers/coe-api.ts'
import type { DriverApi } from '../drivers/driver-api.ts'
import { type DriverRegistry, makeRegistry } from '../drivers/registry.ts'
import { driversView } from '../drivers/view.ts'
import type { Drivers } from '../model/drivers.ts'

/** What there is to be seen of them: no server, no cloud and no kubeconfig is needed for that. */
export async function openDrivers({ world, signal, redactor, host, settings }: Context): Promise<Drivers> {
  const coe = makeDriverApi({
    world,
    signal,
    userAgent: `coe/${version} node/${host.versions.node}`,
    addSecret: redactor.addSecret,
    folders: { assets: undefined, cache: coePaths(world).cache },
  })
  return driversView(registryOf(coe, await settings()))
}

export const registryOf = (
  coe: DriverApi,
  settings: Settings,
  onFailure?: (name: string, error: CoeError) => void,
): DriverRegistry =>
  makeRegistry({
    coe,
    folders: settings.get('drivers.folders').value.map(folder => userPath(folder, coe.world)),
    enabled: settings.get('drivers.enabled').value,
    disabled: settings.get('drivers.disabled').value,
    ...(onFailure ? { onFailure } : {}),
  })
