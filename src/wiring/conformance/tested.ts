/** The driver that is tested, and how. */
import type { World } from '../../core/world.ts'
import type { Driver } from '../../drivers/driver-api.ts'

export interface Tested {
  name: string
  /** Undefined: it comes with coe. */
  folder: string | undefined
  driver: Driver
  world: World
  /** Of the driver, for what is created. */
  options: Readonly<Record<string, unknown>>
  /** Labels of the templates of clusters. */
  labels: Readonly<Record<string, string>>
  /** At how many writes each change is killed. */
  deaths: number
}
