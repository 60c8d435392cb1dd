/** Why a workload's pods are not made: the cluster's admission refuses them, in its own words. */
import type { ClusterApi } from './cluster-api.ts'
import { eventsOf, when } from './events.ts'
import { conditionOf, type KubeObject, refOf } from './object.ts'

export interface Refusal {
  text: string
  /** Nothing that happens by itself changes the answer. */
  final: boolean
}

/** @param short there are fewer pods than there should be, which not every kind says of itself */
export async function refusalOf(
  api: ClusterApi,
  workload: KubeObject,
  short: boolean,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const why =
    workload.kind === 'Deployment' ? failureOf(workload) : short ? await told(api, workload, signal) : undefined
  if (why === undefined) return undefined
  return { text: `no pod is made: ${why}`, final: isFinal(why, workload) }
}

function failureOf(deployment: KubeObject): string | undefined {
  const condition = conditionOf(deployment, 'ReplicaFailure')
  return condition?.status === 'True' ? (condition.message ?? condition.reason) : undefined
}

/** Other kinds have no condition for it; a pod that was made later says that it is over. */
async function told(api: ClusterApi, workload: KubeObject, signal: AbortSignal): Promise<string | undefined> {
  const events = await eventsOf(api, refOf(workload), signal)
  const failed = events.find(e => e.reason === 'FailedCreate')
  const made = events.find(e => e.reason === 'SuccessfulCreate' && e.message?.startsWith('create Pod '))
  if (!failed || (made && when(made) > when(failed))) return undefined
  return failed.message?.replace(/^create .* failed error: /, '').replace(/^Error creating: /, '')
}

/** Refused for what another controller is about to do: make the account, count what the quota has. */
const passing = /looking up service account|status unknown for quota|is being terminated/

function isFinal(why: string, workload: KubeObject): boolean {
  if (passing.test(why)) return false
  // while old pods are replaced by new ones, what those used may become free
  if (/exceeded quota/.test(why)) return (workload.status?.replicas ?? 0) === 0
  return /is forbidden:|is invalid:|denied (the )?request/.test(why)
}
