/** Contexts are clusters: what kubectl reaches, coe reaches. */
import type { Driver, DriverApi } from '../driver-api.ts'
import { facts } from './version.ts'

export default function kubeconfig(coe: DriverApi): Driver {
  return {
    ...facts,
    clusters: {
      prefix: 'kube',
      configured: true,
      list: async () => (await coe.contexts()).map(name => ({ name })),
      async find(name) {
        // asked for by its exact name, so that a context that is there and broken is told as that
        return (await coe.contexts()).includes(name) ? coe.context(name) : undefined
      },
    },
  }
}
