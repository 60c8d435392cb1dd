/** Clusters, standalone: the contexts that there are. coe did not make them, so it neither changes nor deletes them. */
import { coeExtension, loadKubeconfig } from '../config/kubeconfig.ts'
import { notFound, usage } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import type { Clusters } from '../model/backend.ts'
import type { Cluster } from '../model/cluster.ts'
import { findCluster } from './references.ts'
import type { Standalone } from './room.ts'

export function standaloneClusters(room: Standalone): Clusters {
  const refuse = async (ref?: string): Promise<never> => {
    throw usage(
      `coe did not make ${ref === undefined ? 'clusters' : `cluster "${ref}"`} in standalone mode, and does not change them`,
      {
        hint: 'Magnum makes and changes clusters: name a cloud with --os-cloud NAME (OS_CLOUD)',
      },
    )
  }
  return {
    list: async query => (await contexts(room)).slice(0, query.limit),
    async get(ref) {
      const known = (await contexts(room)).map(c => c.name)
      if (!known.includes(ref) && !ref.includes(':')) {
        throw notFound(`there is no context "${ref}" in the kubeconfig (standalone mode)`, {
          hint: didYouMean(ref, known) ?? `contexts: ${known.join(', ') || 'none'}`,
        })
      }
      const { name, access, api, uid } = await findCluster(room, ref, 'cluster')
      const { gitVersion } = await api.version({ signal: room.signal })
      return { ...clusterOf(name, access.server), uuid: uid, status: 'CREATE_COMPLETE', coe_version: gitVersion }
    },
    create: () => refuse(),
    update: ref => refuse(ref),
    resize: ref => refuse(ref),
    upgrade: ref => refuse(ref),
    delete: ref => refuse(ref),
    waitFor: ref => refuse(ref),
    access: ref => refuse(ref),
  }
}

async function contexts(room: Standalone): Promise<Cluster[]> {
  const kubeconfig = await loadKubeconfig(room.world)
  return [...kubeconfig.contexts.values()]
    .filter(context => coeExtension(context)?.federation === undefined)
    .map(context => {
      const server = kubeconfig.clusters.get(String(context.value.cluster))?.value.server
      return clusterOf(context.name, typeof server === 'string' ? server : null)
    })
}

/** Nobody is asked: a name stands for the identity that only the server can tell. */
const clusterOf = (name: string, server: string | null): Cluster => ({
  uuid: `kube:${name}`,
  name,
  status: null,
  api_address: server,
})
