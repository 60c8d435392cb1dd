/** The plan that deletes a control plane from its host, except the namespace and the record, which coe deletes afterwards. */
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { Kind } from '../../../kube/api/object.ts'
import { ourSelector } from '../../../kube/ownership/ownership.ts'
import type { Owner, Plan, Step } from '../../../plan/step.ts'

export interface RemoveSettings {
  federation: string
  namespace: string
  host: ClusterApi
  hostTitle: string
  owner: Owner
  keepData: boolean
  /** The federation has or had network policies. Otherwise the user need not have the right to delete any. */
  policies: boolean
}

const kind = (apiVersion: string, name: string): Kind => ({ apiVersion, kind: name })

const pods = kind('v1', 'Pod')
const workloads = [
  kind('apps/v1', 'Deployment'),
  kind('apps/v1', 'StatefulSet'),
  kind('policy/v1', 'PodDisruptionBudget'),
]
const replicaSets = kind('apps/v1', 'ReplicaSet')
const volumes = kind('v1', 'PersistentVolumeClaim')
const base = [kind('v1', 'Service'), kind('v1', 'Secret')]
const networkPolicy = kind('networking.k8s.io/v1', 'NetworkPolicy')

export function removePlan(settings: RemoveSettings): Plan {
  const { federation, namespace, keepData } = settings
  const rest = [...base, ...(settings.policies ? [networkPolicy] : [])]
  const selection = { namespace, labels: ourSelector(settings.owner) }
  const all = [...workloads, replicaSets, pods, ...rest, ...(keepData ? [] : [volumes])]
  const removal = (id: string, title: string, kinds: readonly Kind[], more: Partial<Step> = {}): Step => ({
    id,
    title,
    describe: () => kinds.map(k => `deletes every ${k.kind} of the federation in ${namespace}`),
    async act(_, { api, signal }) {
      await Promise.all(kinds.map(k => api.deleteAll(k, { ...selection, signal })))
      return undefined
    },
    ...more,
  })
  return {
    title: `delete federation "${federation}"`,
    steps: [
      removal('workloads', 'components of the federation', workloads),
      {
        // nothing uses the pods any more: a graceful end is needed only if etcd's data is kept
        ...removal('pods', 'pods of the components', [pods], { needs: ['workloads'] }),
        async act(_, { api, signal }) {
          await api.deleteAll(pods, { ...selection, signal, ...(keepData ? {} : { graceSeconds: 1 }) })
          return undefined
        },
        async ready(_, { api, signal, tell }) {
          const left = (await api.list(pods, { ...selection, metadataOnly: true, signal })).items.length
          if (left === 0) return {}
          tell(`${left} still terminating`)
          return undefined
        },
        timeoutMs: 120_000,
      },
      // last, so that a repeated run still has access to the federation
      removal(
        'rest',
        keepData ? 'services and secrets' : 'services, secrets and volumes',
        [...rest, ...(keepData ? [] : [volumes])],
        { needs: ['pods'] },
      ),
    ],
    clusters: { host: { title: settings.hostTitle, connect: async () => settings.host } },
    owner: settings.owner,
    leftovers: all.map(k => ({ on: 'host', kind: k, namespace })),
  }
}
