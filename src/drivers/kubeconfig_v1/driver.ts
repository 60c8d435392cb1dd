/** Finds clusters as contexts of the kubeconfig. */
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
        // by the exact name, so that the error for a broken context says what is wrong with it
        return (await coe.contexts()).includes(name) ? coe.context(name) : undefined
      },
    },
  }
}
