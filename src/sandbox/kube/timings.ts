/** How long things take, in milliseconds of sandbox time. */
export interface Timings {
  /** From a pod's scheduling to its containers' start. */
  podStart: number
  /** From there to Ready, for containers that nobody simulates further. */
  podReady: number
  podStop: number
  /** Until a container that died is started again. */
  podRestart: number
  /** For how long an API server looks for its etcd before it gives up and is started again. */
  etcdPatience: number
  jobRun: number
  /** The namespace controller waits that long before it begins to empty a namespace. */
  namespaceGrace: number
  loadBalancer: number
  volume: number
  /** How often a control plane asks each member whether it is well. */
  clusterProbe: number
  /** For how long a member must fail before it counts as not ready. */
  clusterFailure: number
  /** How often a control plane looks whether a member that leaves has left. */
  clusterCleanup: number
  /** The first pause after something could not be done on a member; doubled each time. */
  workRetry: number
}

/** Quick enough that nobody waits, slow enough that states in between are seen. */
export const quickTimings: Timings = {
  podStart: 20,
  podReady: 20,
  podStop: 10,
  podRestart: 200,
  // a lab that nobody looks after would never come to rest
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
