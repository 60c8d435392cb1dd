/** What makes federations and knows clusters: shown, and begun anew. */
import type { Entry, Group } from '../cli/tree.ts'

export const driverGroup: Group = { words: 'driver', summary: 'Drivers: what makes federations and knows clusters' }

export const driverEntries: readonly Entry[] = [
  { words: 'driver list', summary: 'List drivers', load: async () => (await import('./driver/list.ts')).driverList },
  { words: 'driver show', summary: 'Show a driver', load: async () => (await import('./driver/show.ts')).driverShow },
  {
    words: 'driver init',
    summary: 'Make the beginning of a driver of your own',
    load: async () => (await import('./driver/init.ts')).driverInit,
  },
]
