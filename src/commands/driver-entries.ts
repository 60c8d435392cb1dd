/** The commands about drivers. */
import type { Entry, Group } from '../cli/tree.ts'

export const driverGroup: Group = { words: 'driver', summary: 'Drivers: they make federations and find clusters' }

export const driverEntries: readonly Entry[] = [
  { words: 'driver list', summary: 'List drivers', load: async () => (await import('./driver/list.ts')).driverList },
  { words: 'driver show', summary: 'Show a driver', load: async () => (await import('./driver/show.ts')).driverShow },
  {
    words: 'driver init',
    summary: 'Create a driver of your own from an example',
    load: async () => (await import('./driver/init.ts')).driverInit,
  },
  {
    words: 'driver test',
    summary: 'Test a driver on simulated clusters',
    load: async () => (await import('./driver/test.ts')).driverTest,
  },
]
