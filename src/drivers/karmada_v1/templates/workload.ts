/** Deployments of the control plane, and the budgets that keep a node's drain from taking all replicas at once. */
import type { KubeObject } from '../../../kube/api/object.ts'
import type { ComponentName } from '../names.ts'
import { type Component, podTemplate, selector } from './pod.ts'
import type { Checksums, Site } from './site.ts'

export const replicas = (name: ComponentName, ha: boolean): number => (ha ? (name === 'etcd' ? 3 : 2) : 1)

export function deployment(component: Component, site: Site, checksums: Checksums): KubeObject[] {
  const { namespace, settings } = site
  const { name } = component
  const object: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: selector(name) },
    spec: {
      replicas: replicas(name, settings.ha),
      revisionHistoryLimit: 2,
      selector: { matchLabels: selector(name) },
      // with one pod to a node there is no room for a third: one goes before its successor comes
      strategy: settings.ha
        ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }
        : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: podTemplate(component, site, checksums),
    },
  }
  return [object, ...budget(name, site)]
}

export function budget(name: ComponentName, { namespace, settings }: Site): KubeObject[] {
  if (!settings.ha) return []
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec: { maxUnavailable: 1, selector: { matchLabels: selector(name) } },
    },
  ]
}
