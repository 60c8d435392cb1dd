import type { Controller } from '../../kube/controllers/host.ts'
import { keepMemberClients } from '../member-clients.ts'
import { bindingController } from './bindings.ts'
import { clusterStatusController } from './cluster-status.ts'
import { clusterController } from './clusters.ts'
import { detector } from './detector.ts'
import { executionController } from './execution.ts'
import { namespaceSync } from './namespace-sync.ts'
import { unifiedAuth } from './unified-auth.ts'

/** What runs in karmada-controller-manager. */
export function karmadaControllers(): Controller[] {
  return [
    clusterController,
    host => {
      const clients = keepMemberClients(host)
      clusterStatusController(host, clients)
      executionController(host, clients)
    },
    namespaceSync,
    unifiedAuth,
    detector,
    bindingController,
  ]
}
