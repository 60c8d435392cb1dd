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
      // it is looked after with the keys that are there, and worked on with those that were there first: so it may be
      // Ready when nothing can be done on it
      clusterStatusController(host, keepMemberClients(host, 'current'))
      executionController(host, keepMemberClients(host, 'first'))
    },
    namespaceSync,
    unifiedAuth,
    detector,
    bindingController,
  ]
}
