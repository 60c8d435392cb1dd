/** Finds out why a workload's pods are not created: the cluster's admission refuses them. */
import type { ClusterApi } from './cluster-api.ts'
import { eventsOf, when } from './events.ts'
import { conditionOf, type KubeObject, refOf } from './object.ts'

export interface Refusal {
  text: string
  /** The refusal stays until someone changes the cluster or the workload. */
  final: boolean
}

/** @param short there are fewer pods than wanted; not every kind has a condition for that */
export async function refusalOf(
  api: ClusterApi,
  workload: KubeObject,
  short: boolean,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const why =
    workload.kind === 'Deployment' ? failureOf(workload) : short ? await eventReason(api, workload, signal) : undefined
  if (why === undefined) return undefined
  return { text: `its pods are refused: ${why}`, final: isFinal(why, workload) }
}

function failureOf(deployment: KubeObject): string | undefined {
  const condition = conditionOf(deployment, 'ReplicaFailure')
  return condition?.status === 'True' ? (condition.message ?? condition.reason) : undefined
}

/** Other kinds have no such condition, so their events are read. A pod created after the last failure means that it is over. */
async function eventReason(api: ClusterApi, workload: KubeObject, signal: AbortSignal): Promise<string | undefined> {
  const events = await eventsOf(api, refOf(workload), signal)
  const failed = events.find(e => e.reason === 'FailedCreate')
  const made = events.find(e => e.reason === 'SuccessfulCreate' && e.message?.startsWith('create Pod '))
  if (!failed || (made && when(made) > when(failed))) return undefined
  return failed.message?.replace(/^create .* failed error: /, '').replace(/^Error creating: /, '')
}

/** Refusals that end by themselves once another controller has created the account or counted the quota. */
const temporary = /looking up service account|status unknown for quota|is being terminated/

function isFinal(why: string, workload: KubeObject): boolean {
  if (temporary.test(why)) return false
  // while old pods are replaced by new ones, part of the quota may become free
  if (/exceeded quota/.test(why)) return (workload.status?.replicas ?? 0) === 0
  return /is forbidden:|is invalid:|denied (the )?request/.test(why)
}
