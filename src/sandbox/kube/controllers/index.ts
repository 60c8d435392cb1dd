import type { TokenSigner } from '../access/tokens.ts'
import type { ControlPlane } from '../control-plane.ts'
import type { PodNetwork } from '../network/pod-network.ts'
import { deploymentController } from './deployments.ts'
import { disruptionBudgets } from './disruption-budgets.ts'
import { apiServiceController, crdController, noAggregation } from './extensions.ts'
import { garbageCollector } from './garbage.ts'
import type { Controller } from './host.ts'
import { jobController } from './jobs.ts'
import { kubeProxy } from './kube-proxy.ts'
import { kubelet, type PodRuntime } from './kubelet.ts'
import { namespaceController, namespaceFurniture } from './namespaces.ts'
import { replicaSetController } from './replica-sets.ts'
import { scheduler } from './scheduler.ts'
import { serviceAccountTokens } from './service-account-tokens.ts'
import { endpointsController, loadBalancerProvider } from './services.ts'
import { statefulSetController } from './stateful-sets.ts'
import { volumeController } from './volumes.ts'

/** All controllers of an ordinary cluster. */
export function clusterControllers(of: {
  plane: ControlPlane
  signer: TokenSigner
  network: PodNetwork
  loadBalancer?: (() => string) | undefined
  runtime?: PodRuntime | undefined
}): Controller[] {
  return [
    crdController,
    apiServiceController(noAggregation((namespace, name) => of.plane.store.get('services', namespace, name))),
    namespaceController,
    namespaceFurniture,
    serviceAccountTokens(of.signer),
    garbageCollector,
    deploymentController,
    replicaSetController,
    statefulSetController,
    jobController,
    scheduler,
    kubelet(of.runtime),
    volumeController,
    endpointsController,
    ...(of.loadBalancer ? [loadBalancerProvider(of.loadBalancer)] : []),
    disruptionBudgets,
    kubeProxy(of.network),
  ]
}
