/** Opens the drivers that the settings name: for use by a backend, or to list and show them. */
import { coePaths, userPath } from '../config/paths.ts'
import type { Settings } from '../config/settings.ts'
import type { CoeError } from '../core/errors.ts'
import { makeDriverApi } from '../drivers/coe-api.ts'
import type { DriverApi } from '../drivers/driver-api.ts'
import { type DriverRegistry, makeRegistry } from '../drivers/registry.ts'
import { driversView } from '../drivers/view.ts'
import type { Drivers } from '../model/drivers.ts'
import type { BackendDeps } from './open-backend.ts'

/** To list and show them, which needs no server. */
export function openDrivers(deps: BackendDeps): Drivers {
  const { world, userAgent, secrets, settings } = deps
  const { signal } = new AbortController()
  const folders = { assets: undefined, cache: coePaths(world).cache }
  const coe = makeDriverApi({ world, signal, userAgent, addSecret: secrets.addSecret, folders })
  return {
    ...driversView(registryOf(coe, settings)),
    test: async (driver, how) => (await import('./conformance/test-driver.ts')).testDriver(deps, driver, how),
  }
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
