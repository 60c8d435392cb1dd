/**
 * Runs a Karmada control plane that is applied to a simulated host cluster. This is a SIMULATION of the parts that coe
 * uses: pods with one of Karmada's programs read their flags, Secrets and kubeconfigs and really check them against
 * each other (wrong CAs, keys or names keep them from starting), and the API server opens a real TLS socket behind its
 * Service. Requests to members are real HTTPS requests with the credentials in the Clusters' Secrets.
 */
import type { ControlPlane } from '../kube/control-plane.ts'
import type { PodRuntime } from '../kube/controllers/kubelet.ts'
import type { PodNetwork } from '../kube/network/pod-network.ts'
import type { Timings } from '../kube/timings.ts'
import { aggregatedApiServer } from './aggregated.ts'
import { type ApiServerOptions, apiServer } from './api-server.ts'
import { karmadaControllerManager, karmadaScheduler, kubeControllerManager } from './components.ts'
import { etcd } from './etcd.ts'
import { createFederations, type Federations } from './federations.ts'
import { viewPod } from './pod-files.ts'
import { type Program, runProgram } from './process.ts'
import { webhookServer } from './webhook.ts'

export interface KarmadaOptions extends ApiServerOptions {
  timings: Timings
}

/** Pass `runtime` to the host cluster; `federations` has the processes that run on it. */
export function karmadaRuntime(options: KarmadaOptions): {
  federations: Federations
  runtime: (plane: ControlPlane, network: PodNetwork) => PodRuntime
} {
  const federations = createFederations()
  const programs: Record<string, Program> = {
    etcd,
    'kube-apiserver': apiServer(options),
    'kube-controller-manager': kubeControllerManager,
    'karmada-aggregated-apiserver': aggregatedApiServer,
    'karmada-controller-manager': karmadaControllerManager,
    'karmada-scheduler': karmadaScheduler,
    'karmada-webhook': webhookServer,
  }
  const runtime = (plane: ControlPlane, network: PodNetwork): PodRuntime => {
    // deleting a claim deletes its data
    plane.store.subscribe(({ type, id, object }) => {
      if (type === 'DELETED' && id === 'persistentvolumeclaims')
        federations.disks.delete(`claim ${object.metadata.uid}`)
    })
    return (pod, report) => {
      const view = viewPod(plane, pod)
      const program = programs[view.program]
      if (!program) return undefined
      const uid = pod.metadata.uid as string
      const namespace = pod.metadata.namespace as string
      const context = {
        plane,
        network,
        federations,
        clock: plane.clock,
        timings: options.timings,
        view,
        uid,
        namespace,
      }
      return runProgram(program, context, report)
    }
  }
  return { federations, runtime }
}
