// The actions. This file is the driver's entry point: coe calls its default export once, which queries no server.
import { kubeconfigs } from './kubeconfigs.js'
import { facts } from './version.js'

/** @type {import('./coe.js').MakeDriver} */
export default function make(coe) {
  const { folder, files, fileOf } = kubeconfigs(coe.world)
  return {
    ...facts,
    clusters: {
      prefix: 'shelf',
      // coe tries it for names without a prefix, too, after the contexts of the kubeconfig
      configured: folder !== undefined,
      list: async () => (await files()).map(name => ({ name })),
      async find(name) {
        const file = await fileOf(name)
        // undefined: not ours. A file that is there but broken is an error, which coe.context() throws.
        return file === undefined ? undefined : coe.context(undefined, file)
      },
    },
  }
}
