/** Durations in milliseconds of sandbox time. */
export interface Timings {
  /** From a pod's scheduling to its containers' start. */
  podStart: number
  /** From there to Ready, for containers without a simulated program. */
  podReady: number
  podStop: number
  /** Until a container that ended is restarted. */
  podRestart: number
  /** How long an API server tries to reach its etcd before it exits and is restarted. */
  etcdPatience: number
  jobRun: number
  /** How long the namespace controller waits before it begins to empty a namespace. */
  namespaceGrace: number
  loadBalancer: number
  volume: number
  /** How often a control plane probes each member. */
  clusterProbe: number
  /** How long a member must fail before it counts as not ready. */
  clusterFailure: number
  /** How often a control plane checks whether a leaving member has left. */
  clusterCleanup: number
  /** The first pause after a failure on a member; doubled each time. */
  workRetry: number
}

/** Short enough to avoid waiting, long enough that intermediate states can be seen. */
export const quickTimings: Timings = {
  podStart: 20,
  podReady: 20,
  podStop: 10,
  podRestart: 200,
  // restarts would never let an unattended sandbox come to rest
  etcdPatience: Number.POSITIVE_INFINITY,
  jobRun: 20,
  namespaceGrace: 40,
  loadBalancer: 40,
  volume: 10,
  clusterProbe: 2000,
  clusterFailure: 500,
  clusterCleanup: 200,
  workRetry: 100,
}
