/** The Backend over clusters that we can reach ourselves: no server of ours anywhere. */
import { kubeconfigPaths } from '../config/kubeconfig/kubeconfig.ts'
import type { World } from '../core/world.ts'
import type { Backend } from '../model/backend.ts'
import { standaloneClusters } from './clusters/clusters.ts'
import { contextChecks } from './clusters/examine-context.ts'
import type { DepsFor } from './deps.ts'
import { standaloneFederations } from './federations/federations.ts'

export const standaloneBackend = (world: World, depsFor: DepsFor): Backend => ({
  mode: 'standalone',
  where: `the kubeconfig (${kubeconfigPaths(world).join(', ') || 'none'})`,
  clusters: standaloneClusters(depsFor),
  federations: standaloneFederations(depsFor),
  contexts: { checks: (call, timeoutMs) => contextChecks(depsFor(call), timeoutMs) },
})
