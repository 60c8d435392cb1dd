/** Checks a Magnum cluster for marks of federations, if it has an API to query. */
import { checkMarks, type Guarded, type MarksCheck } from '../../kube/ownership/delete-guard.ts'
import type { Call } from '../../model/call.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { connectToCluster } from './cluster-connection.ts'

export const guarded = ({ name, uuid, api_address }: Cluster): Guarded => ({
  name,
  uuid,
  reference: `magnum:${name}`,
  address: api_address ?? '',
})

export async function marksOf(context: MagnumContext, cluster: Cluster, call: Call): Promise<MarksCheck> {
  const { api_address, status } = cluster
  // without an address the cluster never worked; other addresses are not those of Kubernetes
  if (!api_address || !/^https?:\/\//.test(api_address) || status === 'DELETE_IN_PROGRESS') return {}
  const enter = (signal: AbortSignal) => connectToCluster(context, { ...cluster, api_address }, signal)
  return checkMarks(guarded(cluster), enter, call.signal)
}
