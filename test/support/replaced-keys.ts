/** Kubeconfigs after what they held was replaced on the server: entries of one context, taken from what the cluster hands out now. */
import { readFile, writeFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import type { KubeCluster } from '../../src/sandbox/kube/cluster.ts'

interface Entry {
  name: string
  cluster?: unknown
  user?: unknown
}

export async function renewContext(file: string, cluster: KubeCluster): Promise<void> {
  const config = parse(await readFile(file, 'utf8'))
  const now = parse(await cluster.kubeconfig())
  const { context } = config.contexts.find((entry: Entry) => entry.name === cluster.name)
  const put = (list: Entry[], name: string, fresh: Entry) =>
    Object.assign(list.find(entry => entry.name === name) as Entry, { ...fresh, name })
  put(config.clusters, context.cluster, now.clusters[0])
  put(config.users, context.user, now.users[0])
  await writeFile(file, stringify(config))
}
