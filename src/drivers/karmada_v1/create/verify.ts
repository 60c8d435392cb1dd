/** Verifies a new federation at the address that its users have. */
import { awaitAll } from '../../../core/concurrency.ts'
import { CoeError } from '../../../core/errors.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import type { Step, Tools } from '../../../plan/step.ts'
import type { CreateOutputs } from './create.ts'

/** Undefined while the API does not answer; the reason is shown to the waiting user. */
export async function apiAnswers(server: string, { api, signal, tell }: Tools): Promise<object | undefined> {
  try {
    const answer = await api.raw({ method: 'GET', path: '/readyz', signal, timeoutMs: 5_000 })
    if (answer.status === 200) return {}
    tell(`${server} answers with HTTP ${answer.status}`)
  } catch (error) {
    signal.throwIfAborted()
    tell(error instanceof CoeError ? error.message : String(error))
  }
  return undefined
}

/** Sent as a dry run: the webhook checks it, and nothing is stored. */
const probe: KubeObject = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'coe-verification', namespace: 'default' },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'coe-verification' }] },
}

const clusters = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' }

export function verification(): Step<CreateOutputs> {
  return {
    id: 'verification',
    title: 'clusters can be listed, and a policy passes the webhook',
    needs: ['etcd', 'clusters', 'kube-controllers', 'scheduler', 'controllers', 'admission'],
    on: 'federation',
    describe: () => ['lists the clusters of the federation', 'sends a policy as a dry run'],
    async ready(_, { api, signal, tell }) {
      try {
        await awaitAll([api.list(clusters, { signal }), api.create(probe, { dryRun: true, signal })])
        return {}
      } catch (error) {
        signal.throwIfAborted()
        // a new API may need a moment to know all its kinds; real failures persist

        tell(error instanceof CoeError ? error.message : String(error))
        return undefined
      }
    },
    timeoutMs: 60_000,
  }
}
