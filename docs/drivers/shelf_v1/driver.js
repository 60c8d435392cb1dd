// The actions. This file is the folder's door: its default export is called once, and asks nothing of any server.
import { kubeconfigs } from './kubeconfigs.js'
import { facts } from './version.js'

/** @type {import('./coe.js').MakeDriver} */
export default function make(coe) {
  const { folder, files, fileOf } = kubeconfigs(coe.world)
  return {
    ...facts,
    clusters: {
      prefix: 'shelf',
      // bare names are tried with it, too, after the contexts of the kubeconfig
      configured: folder !== undefined,
      list: async () => (await files()).map(name => ({ name })),
      async find(name) {
        const file = await fileOf(name)
        // undefined: not ours. What is there and broken is an error, which coe.context() tells in full.
        return file === undefined ? undefined : coe.context(undefined, file)
      },
    },
  }
}
