/** The Backend over clusters that we can reach ourselves: no server of ours anywhere. */
import { kubeconfigPaths } from '../config/kubeconfig/kubeconfig.ts'
import type { Backend } from '../model/backend.ts'
import { standaloneClusters } from './clusters/clusters.ts'
import { contextExams } from './clusters/examine-context.ts'
import { standaloneFederations } from './federations/federations.ts'
import type { Standalone } from './room.ts'

export const standaloneBackend = (room: Standalone): Backend => ({
  mode: 'standalone',
  where: `the kubeconfig (${kubeconfigPaths(room.world).join(', ') || 'none'})`,
  clusters: standaloneClusters(room),
  federations: standaloneFederations(room),
  contexts: { exams: timeoutMs => contextExams(room, timeoutMs) },
})
