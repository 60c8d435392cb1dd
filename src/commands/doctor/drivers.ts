/** Checks that all drivers can be loaded. */

import type { Context } from '../../cli/context.ts'
import { nextStep } from '../../core/next-step.ts'
import { type Check, ok, warn } from './check.ts'

export async function checkDrivers(context: Context): Promise<Check> {
  const drivers = await (await context.drivers()).list()
  const failed = drivers.filter(driver => driver.state === 'failed')
  const [first] = failed
  if (!first)
    return ok(
      'drivers',
      drivers
        .filter(d => d.state === 'enabled')
        .map(d => d.name)
        .join(', ') || 'none',
    )
  const errors = failed.map(({ name, error }) => `${name}: ${error}`).join('; ')
  return warn('drivers', errors, first.hint, first.hint ? [] : [nextStep('see more', 'driver show', first.name)])
}
