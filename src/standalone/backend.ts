/** The Backend over clusters that we can reach ourselves: no server of ours anywhere. */
import { kubeconfigPaths } from '../config/kubeconfig/kubeconfig.ts'
import type { Backend } from '../model/backend.ts'
import { standaloneClusters } from './clusters/clusters.ts'
import { contextExams } from './clusters/examine-context.ts'
import type { Standalone } from './deps.ts'
import { standaloneFederations } from './federations/federations.ts'

export const standaloneBackend = (deps: Standalone): Backend => ({
  mode: 'standalone',
  where: `the kubeconfig (${kubeconfigPaths(deps.world).join(', ') || 'none'})`,
  clusters: standaloneClusters(deps),
  federations: standaloneFederations(deps),
  contexts: { exams: (_call, timeoutMs) => contextExams(deps, timeoutMs) },
})
