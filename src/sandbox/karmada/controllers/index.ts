import type { Controller } from '../../kube/controllers/host.ts'
import { keepMemberClients } from '../member-clients.ts'
import { bindingController } from './bindings.ts'
import { clusterStatusController } from './cluster-status.ts'
import { clusterController } from './clusters.ts'
import { detector } from './detector.ts'
import { executionController } from './execution.ts'
import { namespaceSync } from './namespace-sync.ts'
import { unifiedAuth } from './unified-auth.ts'

/** The controllers of karmada-controller-manager. */
export function karmadaControllers(): Controller[] {
  return [
    clusterController,
    host => {
      // the health check uses the current keys, the other controllers the first ones, so a member may be Ready although
      // nothing can be applied to it
      clusterStatusController(host, keepMemberClients(host, 'current'))
      executionController(host, keepMemberClients(host, 'first'))
    },
    namespaceSync,
    unifiedAuth,
    detector,
    bindingController,
  ]
}
